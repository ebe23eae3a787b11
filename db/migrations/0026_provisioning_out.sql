CREATE TABLE `provisioned_people` (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`remoteId` text,
	`sent` text,
	`status` text DEFAULT 'waiting' NOT NULL,
	`mark` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer,
	`leasedUntil` integer,
	`logNumber` integer,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `provisioning_targets`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_people_person` ON `provisioned_people` (`suid`,`appId`,`orgCode`);--> statement-breakpoint
CREATE INDEX `provisioned_people_status` ON `provisioned_people` (`appId`,`orgCode`,`status`);--> statement-breakpoint
CREATE INDEX `provisioned_people_due` ON `provisioned_people` (`nextAttemptAt`) WHERE "provisioned_people"."nextAttemptAt" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `provisioning_log` (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
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
CREATE INDEX `provisioning_log_app` ON `provisioning_log` (`appId`,`orgCode`,`number`);--> statement-breakpoint
CREATE INDEX `provisioning_log_person` ON `provisioning_log` (`suid`);--> statement-breakpoint
CREATE INDEX `provisioning_log_time` ON `provisioning_log` (`at`);--> statement-breakpoint
CREATE TABLE `provisioning_targets` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`url` text NOT NULL,
	`authentication` text NOT NULL,
	`username` text DEFAULT '' NOT NULL,
	`secret` text NOT NULL,
	`enabled` integer NOT NULL,
	`changesBy` text NOT NULL,
	`withoutAccess` text NOT NULL,
	`createdAt` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`pausedUntil` integer,
	`stoppedAt` integer,
	`stopReason` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
