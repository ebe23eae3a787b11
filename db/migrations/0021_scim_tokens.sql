CREATE TABLE `scim_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`madeBySuid` text,
	`ceiling` text DEFAULT '[]' NOT NULL,
	`lastUsedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_tokens_hash` ON `scim_tokens` (`orgCode`,`hash`);