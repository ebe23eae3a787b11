CREATE TABLE `app_logos` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`contentType` text NOT NULL,
	`bytes` blob NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `applications` ADD `startUrl` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `logo` text;