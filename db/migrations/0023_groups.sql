CREATE TABLE `group_members` (
	`orgCode` text NOT NULL,
	`groupId` text NOT NULL,
	`suid` text NOT NULL,
	PRIMARY KEY(`groupId`, `suid`, `orgCode`),
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`groupId`,`orgCode`) REFERENCES `groups`(`groupId`,`orgCode`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `group_members_member` ON `group_members` (`suid`,`orgCode`);--> statement-breakpoint
CREATE TABLE `groups` (
	`orgCode` text NOT NULL,
	`groupId` text NOT NULL,
	`displayName` text NOT NULL,
	`nameKey` text NOT NULL,
	`externalId` text,
	`createdAt` integer NOT NULL,
	`changedAt` integer NOT NULL,
	PRIMARY KEY(`groupId`, `orgCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `groups_name` ON `groups` (`orgCode`,`nameKey`);--> statement-breakpoint
CREATE INDEX `groups_external_id` ON `groups` (`externalId`,`orgCode`) WHERE "groups"."externalId" IS NOT NULL;