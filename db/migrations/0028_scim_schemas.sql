CREATE TABLE `scim_schemas` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`urn` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`attributes` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_schemas_urn` ON `scim_schemas` (`orgCode`,lower("urn"));