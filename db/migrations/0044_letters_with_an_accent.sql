-- As `0040_letters_written_out.sql`, which says why, with the six letters that are one of those with an accent of their own.
DROP INDEX `members_first_name`;--> statement-breakpoint
DROP INDEX `members_last_name`;--> statement-breakpoint
CREATE INDEX `members_first_name` ON `members` (`orgCode`,CASE WHEN "firstName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("firstName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "firstName" END COLLATE NOCASE,CASE WHEN "lastName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("lastName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "lastName" END COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `members_last_name` ON `members` (`orgCode`,CASE WHEN "lastName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("lastName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "lastName" END COLLATE NOCASE,CASE WHEN "firstName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("firstName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "firstName" END COLLATE NOCASE);--> statement-breakpoint
DROP VIEW `member_search_texts`;--> statement-breakpoint
CREATE VIEW `member_search_texts` AS
SELECT
  `memberId`, `id`,
  CASE WHEN `text` GLOB '*[^' || char(1) || '-~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`text`, 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE `text` END AS `text`,
  `status`
FROM (
  SELECT
    `members`.`id` AS `memberId`,
    (`field` << 56) + `members`.`id` AS `id`,
    CASE `field`
      WHEN 0 THEN char(2) || `firstName` || CASE WHEN `firstName` GLOB '*[^ -~]*' THEN char(4) ELSE '' END
      WHEN 1 THEN char(3) || `lastName` || CASE WHEN `lastName` GLOB '*[^ -~]*' THEN char(4) ELSE '' END
      WHEN 2 THEN `primaryEmail` ELSE `primaryAttr` END AS `text`,
    substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) || char(0xF0000 + ((`members`.`id` & 0xFFFFFFFF) >> 17)) AS `status`
  FROM (SELECT 0 AS `field` UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) CROSS JOIN `members`
);
--> statement-breakpoint
INSERT INTO `member_search` (`member_search`) VALUES ('rebuild');
