CREATE TABLE `__new_mail_texts` (
	`orgCode` text NOT NULL,
	`template` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	PRIMARY KEY(`orgCode`, `template`, `language`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_mail_texts`(`orgCode`, `template`, `subject`, `body`, `language`) SELECT `orgCode`, `template`, `subject`, `body`, 'en' FROM `mail_texts`;--> statement-breakpoint
DROP TABLE `mail_texts`;--> statement-breakpoint
ALTER TABLE `__new_mail_texts` RENAME TO `mail_texts`;--> statement-breakpoint
ALTER TABLE `organisations` ADD `mailLanguage` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `language` text DEFAULT 'en' NOT NULL;