CREATE TABLE `api_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`identifier` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text DEFAULT '[]' NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_resources_identifier` ON `api_resources` (`identifier`,`orgCode`);