ALTER TABLE `provisioned_people` ADD `inScope` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `provisioning_targets` ADD `sendManagers` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `provisioning_targets` ADD `sendRoles` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `provisioning_targets` ADD `sendAttributes` text DEFAULT '[]' NOT NULL;