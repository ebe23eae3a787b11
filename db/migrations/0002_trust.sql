CREATE TABLE `decoy_sign_ups` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`email` text NOT NULL,
	`to` text NOT NULL,
	`hash` text NOT NULL,
	`issuedAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`wrongTries` integer DEFAULT 0 NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `decoy_sign_ups_email` ON `decoy_sign_ups` (`email`,`orgCode`,`issuedAt`);--> statement-breakpoint
CREATE INDEX `decoy_sign_ups_to` ON `decoy_sign_ups` (`to`,`orgCode`,`issuedAt`);--> statement-breakpoint
CREATE INDEX `decoy_sign_ups_expiry` ON `decoy_sign_ups` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `failure_budgets` (
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`orgCode` text NOT NULL,
	`clearAt` integer NOT NULL,
	`trustedUntil` integer,
	PRIMARY KEY(`subject`, `kind`, `orgCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `failure_budgets_clear` ON `failure_budgets` (`clearAt`);--> statement-breakpoint
CREATE TABLE `push_denials` (
	`suid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`denials` integer NOT NULL,
	`lastDeniedAt` integer NOT NULL,
	`network` text NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `push_denials_time` ON `push_denials` (`lastDeniedAt`);--> statement-breakpoint
CREATE TABLE `security_alerts` (
	`orgCode` text NOT NULL,
	`action` text NOT NULL,
	`mailedAt` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `action`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`actorKind` text NOT NULL,
	`actorSuid` text,
	`actorName` text NOT NULL,
	`actorMode` text NOT NULL,
	`actorSid` text,
	`ip` text NOT NULL,
	`objectType` text NOT NULL,
	`objectId` text NOT NULL,
	`objectName` text NOT NULL,
	`suid` text,
	`changes` text NOT NULL,
	`marks` text NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_events_org` ON `audit_events` (`orgCode`,`id`);--> statement-breakpoint
CREATE TABLE `audit_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`before` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `external_identities` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text NOT NULL,
	`linkedAt` integer NOT NULL,
	`approvedAt` integer,
	`lastUsedAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `external_identities_subject` ON `external_identities` (`subject`,`orgCode`,`issuer`);--> statement-breakpoint
CREATE INDEX `external_identities_member` ON `external_identities` (`suid`,`orgCode`);--> statement-breakpoint
CREATE TABLE `email_changes` (
	`suid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`email` text NOT NULL,
	`requestedAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `email_changes_expiry` ON `email_changes` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `sealed_columns` (
	`name` text PRIMARY KEY NOT NULL,
	`keyId` text NOT NULL,
	`probe` text NOT NULL,
	`scrubbed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`orgCode` text NOT NULL,
	`webhookId` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`createdAt` integer NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lastAttemptAt` integer,
	`nextAttemptAt` integer,
	`responseStatus` integer,
	`responseBody` text DEFAULT '' NOT NULL,
	`durationMs` integer,
	`error` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`webhookId`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_id` ON `webhook_deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhookId`,`orgCode`,`number`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`nextAttemptAt`) WHERE "webhook_deliveries"."nextAttemptAt" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_time` ON `webhook_deliveries` (`createdAt`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`url` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`events` text DEFAULT '[]' NOT NULL,
	`secret` text NOT NULL,
	`oldSecret` text,
	`oldSecretUntil` integer,
	`createdAt` integer NOT NULL,
	`failingSince` integer,
	`disabledAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_organisation` ON `webhooks` (`orgCode`,`createdAt`);--> statement-breakpoint
DROP INDEX `activation_codes_code`;--> statement-breakpoint
ALTER TABLE `activation_codes` ADD `wrongTriesInAll` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `activation_codes` ADD `wrongTriesByNetwork` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `askedFor` text;--> statement-breakpoint
ALTER TABLE `challenges` ADD `action` text;--> statement-breakpoint
ALTER TABLE `challenges` ADD `statement` text;--> statement-breakpoint
ALTER TABLE `challenges` ADD `contentHash` text;--> statement-breakpoint
CREATE INDEX `challenges_asked_for` ON `challenges` (`askedFor`,`orgCode`,`expiresAt`) WHERE "challenges"."askedFor" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `external_sign_ins` ADD `issuer` text;--> statement-breakpoint
ALTER TABLE `external_sign_ins` ADD `subject` text;--> statement-breakpoint
ALTER TABLE `external_sign_ins` ADD `email` text;--> statement-breakpoint
ALTER TABLE `external_sign_ins` ADD `approvalId` text;--> statement-breakpoint
ALTER TABLE `members` ADD `emailVerifiedAt` integer;--> statement-breakpoint
ALTER TABLE `organisations` ADD `discloseUnknownUsers` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `secretFor` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `secretUntil` integer;--> statement-breakpoint
CREATE INDEX `outbox_secret_for` ON `outbox` (`secretFor`) WHERE "outbox"."secretFor" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_secret_until` ON `outbox` (`secretUntil`) WHERE "outbox"."secretUntil" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `login_history` ADD `appId` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `login_history` ADD `disownedAt` integer;--> statement-breakpoint
CREATE INDEX `login_history_time` ON `login_history` (`orgCode`,`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `login_history_app` ON `login_history` (`appId`,`orgCode`,`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `login_history_ip` ON `login_history` (`ip`,`orgCode`,`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `login_history_failed` ON `login_history` (`orgCode`,`timestamp`,`id`) WHERE "login_history"."loginStatus" = 'Failed';--> statement-breakpoint
ALTER TABLE `sessions` ADD `mode` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `userAgent` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `ip` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `lastUsedAt` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `externalIdentityId` text;--> statement-breakpoint
CREATE INDEX `sessions_external_identity` ON `sessions` (`externalIdentityId`,`orgCode`) WHERE "sessions"."externalIdentityId" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `portal_oidc` ADD `configuredBy` text;--> statement-breakpoint
ALTER TABLE `scim_credentials` ADD `madeBySuid` text;--> statement-breakpoint
ALTER TABLE `scim_credentials` ADD `ceiling` text DEFAULT '[]' NOT NULL;