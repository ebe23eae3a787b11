ALTER TABLE `invitations` ADD `invitedAt` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `invitations` ADD `invitedBy` text;--> statement-breakpoint
ALTER TABLE `invitations` ADD `closedAt` integer;--> statement-breakpoint
UPDATE `invitations` SET `invitedAt` = `validFrom`;--> statement-breakpoint
-- Only the newest of a person is open, and none of somebody who has a device for it or was deleted.
UPDATE `invitations` SET `closedAt` = `validFrom` WHERE EXISTS (SELECT 1 FROM `invitations` AS `newer` WHERE `newer`.`suid` = `invitations`.`suid` AND `newer`.`type` = `invitations`.`type` AND (`newer`.`expiresAt`, `newer`.`hash`) > (`invitations`.`expiresAt`, `invitations`.`hash`)) OR EXISTS (SELECT 1 FROM `devices` WHERE `devices`.`suid` = `invitations`.`suid` AND `devices`.`type` = `invitations`.`type` AND `devices`.`status` = 'active') OR EXISTS (SELECT 1 FROM `members` WHERE `members`.`suid` = `invitations`.`suid` AND `members`.`accountStatus` = 'deleted');--> statement-breakpoint
CREATE INDEX `invitations_open` ON `invitations` (`orgCode`,`expiresAt`,`suid`,`type`) WHERE "invitations"."closedAt" IS NULL;