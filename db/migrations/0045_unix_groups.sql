CREATE TABLE `unix_groups` (
	`orgCode` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `kind`, `id`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `unix_groups_number` ON `unix_groups` (`orgCode`,`number`);