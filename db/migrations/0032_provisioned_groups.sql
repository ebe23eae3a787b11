CREATE TABLE `__new_provisioned_people` (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text,
	`groupId` text,
	`remoteId` text,
	`sent` text,
	`status` text DEFAULT 'waiting' NOT NULL,
	`mark` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer,
	`leasedUntil` integer,
	`logNumber` integer,
	`inScope` integer DEFAULT true NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `provisioning_targets`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_provisioned_people`(`number`, `orgCode`, `appId`, `suid`, `remoteId`, `sent`, `status`, `mark`, `attempts`, `nextAttemptAt`, `leasedUntil`, `logNumber`, `inScope`) SELECT `number`, `orgCode`, `appId`, `suid`, `remoteId`, `sent`, `status`, `mark`, `attempts`, `nextAttemptAt`, `leasedUntil`, `logNumber`, `inScope` FROM `provisioned_people`;--> statement-breakpoint
DROP TABLE `provisioned_people`;--> statement-breakpoint
ALTER TABLE `__new_provisioned_people` RENAME TO `provisioned_people`;--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_people_person` ON `provisioned_people` (`suid`,`appId`,`orgCode`);--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_people_group` ON `provisioned_people` (`groupId`,`appId`,`orgCode`) WHERE "provisioned_people"."groupId" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provisioned_people_status` ON `provisioned_people` (`appId`,`orgCode`,`status`,`groupId`);--> statement-breakpoint
CREATE INDEX `provisioned_people_due` ON `provisioned_people` (`nextAttemptAt`) WHERE "provisioned_people"."nextAttemptAt" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `__new_provisioning_log` (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text,
	`groupId` text,
	`groupName` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text NOT NULL,
	`requests` text NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `provisioning_targets`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_provisioning_log`(`number`, `orgCode`, `appId`, `suid`, `at`, `operation`, `status`, `attempts`, `error`, `requests`) SELECT `number`, `orgCode`, `appId`, `suid`, `at`, `operation`, `status`, `attempts`, `error`, `requests` FROM `provisioning_log`;--> statement-breakpoint
DROP TABLE `provisioning_log`;--> statement-breakpoint
ALTER TABLE `__new_provisioning_log` RENAME TO `provisioning_log`;--> statement-breakpoint
CREATE INDEX `provisioning_log_app` ON `provisioning_log` (`appId`,`orgCode`,`number`);--> statement-breakpoint
CREATE INDEX `provisioning_log_person` ON `provisioning_log` (`suid`);--> statement-breakpoint
CREATE INDEX `provisioning_log_time` ON `provisioning_log` (`at`);--> statement-breakpoint
ALTER TABLE `provisioning_targets` ADD `sendGroups` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `provisioning_targets` ADD `markedUpTo` integer;--> statement-breakpoint
ALTER TABLE `provisioning_targets` ADD `marksAnew` integer DEFAULT false NOT NULL;