DROP INDEX `members_user_name`;--> statement-breakpoint
ALTER TABLE `members` ADD `userNameKey` text;--> statement-breakpoint
UPDATE `members` SET `userNameKey` = lower(`userName`) WHERE `userName` IS NOT NULL;--> statement-breakpoint
-- Not those who were told apart by the case of a letter beyond ASCII: they keep their names, each with a key of its own.
UPDATE `members` SET `userNameKey` = folded(`userName`) WHERE `userName` IS NOT NULL AND (`orgCode`, folded(`userName`)) IN (SELECT `orgCode`, folded(`userName`) FROM `members` WHERE `userName` IS NOT NULL AND `accountStatus` <> 'deleted' GROUP BY 1, 2 HAVING count(*) = 1);--> statement-breakpoint
CREATE UNIQUE INDEX `members_user_name` ON `members` (`orgCode`,`userNameKey`) WHERE "members"."userNameKey" IS NOT NULL AND "members"."accountStatus" <> 'deleted';
