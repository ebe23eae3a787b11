CREATE TABLE `logout_notices` (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`protocol` text NOT NULL,
	`sid` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `logout_notices_application` ON `logout_notices` (`orgCode`,`appId`);--> statement-breakpoint
CREATE INDEX `logout_notices_due` ON `logout_notices` (`nextAttemptAt`);--> statement-breakpoint
ALTER TABLE `saml_sessions` ADD `zid` text;--> statement-breakpoint
CREATE INDEX `saml_sessions_member` ON `saml_sessions` (`suid`,`orgCode`);--> statement-breakpoint
CREATE INDEX `saml_sessions_device` ON `saml_sessions` (`zid`,`orgCode`);