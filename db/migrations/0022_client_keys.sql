ALTER TABLE `oidc_clients` ADD `jwks` text;--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `jwksUri` text;--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `idTokenAlg` text DEFAULT 'RS256' NOT NULL;