CREATE TABLE `setup_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`createdAt` integer NOT NULL,
	`usedAt` integer
);
--> statement-breakpoint
CREATE TABLE `worlds` (
	`id` integer PRIMARY KEY NOT NULL,
	`randomSeed` text NOT NULL
);
