-- A character before each value, which no value has: so the index also finds what a value begins with (decision 060).
DROP VIEW `member_search_texts`;
--> statement-breakpoint
CREATE VIEW `member_search_texts` AS
SELECT
  `members`.`id` AS `memberId`,
  (`field` << 56) + `members`.`id` AS `id`,
  char(2) || CASE `field` WHEN 0 THEN `firstName` WHEN 1 THEN `lastName` WHEN 2 THEN `primaryEmail` ELSE `primaryAttr` END AS `text`,
  substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) || char(0xF0000 + ((`members`.`id` & 0xFFFFFFFF) >> 17)) AS `status`
FROM (SELECT 0 AS `field` UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) CROSS JOIN `members`;
--> statement-breakpoint
INSERT INTO `member_search` (`member_search`) VALUES ('rebuild');
