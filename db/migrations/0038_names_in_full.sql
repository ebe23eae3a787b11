CREATE INDEX `members_first_name` ON `members` (`orgCode`,"firstName" COLLATE NOCASE,"lastName" COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `members_last_name` ON `members` (`orgCode`,"lastName" COLLATE NOCASE,"firstName" COLLATE NOCASE);--> statement-breakpoint
-- A character before each first and each last name, a different one: with the same one, a beginning that no name has was
-- looked for in all addresses. Beginnings of addresses and primary attributes are read from their own indexes (decision 060).
DROP VIEW `member_search_texts`;
--> statement-breakpoint
CREATE VIEW `member_search_texts` AS
SELECT
  `members`.`id` AS `memberId`,
  (`field` << 56) + `members`.`id` AS `id`,
  CASE `field` WHEN 0 THEN char(2) || `firstName` WHEN 1 THEN char(3) || `lastName` WHEN 2 THEN `primaryEmail` ELSE `primaryAttr` END AS `text`,
  substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) || char(0xF0000 + ((`members`.`id` & 0xFFFFFFFF) >> 17)) AS `status`
FROM (SELECT 0 AS `field` UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) CROSS JOIN `members`;
--> statement-breakpoint
INSERT INTO `member_search` (`member_search`) VALUES ('rebuild');
