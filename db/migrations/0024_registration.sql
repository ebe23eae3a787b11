CREATE TABLE `registration_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer,
	`madeBySuid` text,
	`lastUsedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `registration_tokens_hash` ON `registration_tokens` (`orgCode`,`hash`);--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `registrationTokenHash` text;