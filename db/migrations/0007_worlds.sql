CREATE TABLE `setup_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`usedAt` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `worlds` (
	`id` integer PRIMARY KEY NOT NULL,
	`randomSeed` text NOT NULL
);
