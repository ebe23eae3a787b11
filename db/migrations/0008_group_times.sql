ALTER TABLE `roles` ADD `createdAt` integer;--> statement-breakpoint
ALTER TABLE `roles` ADD `changedAt` integer;