CREATE TABLE `logouts` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`browser` text NOT NULL,
	`begunBy` text NOT NULL,
	`goesTo` text NOT NULL,
	`participants` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`gatheredAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `logouts_organisation` ON `logouts` (`orgCode`);--> statement-breakpoint
CREATE INDEX `logouts_expiry` ON `logouts` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `saml_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`browser` text,
	`nameId` text NOT NULL,
	`nameIdFormat` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saml_sessions_browser` ON `saml_sessions` (`browser`,`orgCode`);--> statement-breakpoint
CREATE INDEX `saml_sessions_application` ON `saml_sessions` (`orgCode`,`appId`,`nameId`);--> statement-breakpoint
CREATE INDEX `saml_sessions_expiry` ON `saml_sessions` (`expiresAt`);--> statement-breakpoint
ALTER TABLE `app_logins` ADD `browser` text;--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `backchannelLogoutUri` text;--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `frontchannelLogoutUri` text;--> statement-breakpoint
ALTER TABLE `oidc_models` ADD `browser` text;--> statement-breakpoint
CREATE INDEX `oidc_models_browser` ON `oidc_models` (`browser`,`orgCode`) WHERE "oidc_models"."browser" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `organisations` ADD `logoutTogether` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `browser` text;--> statement-breakpoint
CREATE INDEX `sessions_browser` ON `sessions` (`browser`,`orgCode`) WHERE "sessions"."browser" IS NOT NULL;