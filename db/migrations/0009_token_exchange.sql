ALTER TABLE `oidc_clients` ADD `rotateRefreshTokens` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `tokenExchange` integer DEFAULT false NOT NULL;