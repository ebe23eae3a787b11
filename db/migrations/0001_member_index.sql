-- What SQLite keeps about members beside their rows: how many there are, and the index in which they are searched for.
-- drizzle-kit knows neither triggers nor virtual tables, so this file becomes a migration as it is.

-- The texts in which members are searched for, one row per field and member. The fields are numbered as in
-- member-search.ts; the id begins with that number, so that in its order each field of an organisation lies together.
-- The status is one trigram behind a character that no text has; two of its letters tell it apart (decision 060).
CREATE VIEW `member_search_texts` AS
SELECT
  `members`.`id` AS `memberId`,
  (`field` << 56) + `members`.`id` AS `id`,
  CASE `field` WHEN 0 THEN `firstName` WHEN 1 THEN `lastName` WHEN 2 THEN `primaryEmail` ELSE `primaryAttr` END AS `text`,
  char(1) || substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) AS `status`
FROM (SELECT 0 AS `field` UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) CROSS JOIN `members`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `member_search` USING fts5(
  `text`, `status`,
  content = 'member_search_texts', content_rowid = 'id', columnsize = 0, tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
CREATE TRIGGER `members_inserted` AFTER INSERT ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  SELECT RAISE(ABORT, 'The id of a member must lie in the range of the organisation')
    WHERE new.`id` >> 32 IS NOT (SELECT `number` FROM `organisations` WHERE `orgCode` = new.`orgCode`);
  INSERT INTO `member_counts` VALUES (new.`orgCode`, new.`roleCode`, new.`accountStatus`, 1)
    ON CONFLICT DO UPDATE SET `members` = `members` + 1;
  INSERT INTO `member_search` (`rowid`, `text`, `status`)
    SELECT `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `members_updating`
BEFORE UPDATE OF `firstName`, `lastName`, `primaryEmail`, `primaryAttr`, `roleCode`, `accountStatus` ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  UPDATE `member_counts` SET `members` = `members` - 1
    WHERE (`orgCode`, `roleCode`, `accountStatus`) = (old.`orgCode`, old.`roleCode`, old.`accountStatus`);
  INSERT INTO `member_search` (`member_search`, `rowid`, `text`, `status`)
    SELECT 'delete', `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `members_updated`
AFTER UPDATE OF `firstName`, `lastName`, `primaryEmail`, `primaryAttr`, `roleCode`, `accountStatus` ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  INSERT INTO `member_counts` VALUES (new.`orgCode`, new.`roleCode`, new.`accountStatus`, 1)
    ON CONFLICT DO UPDATE SET `members` = `members` + 1;
  INSERT INTO `member_search` (`rowid`, `text`, `status`)
    SELECT `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `members_deleting` BEFORE DELETE ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  UPDATE `member_counts` SET `members` = `members` - 1
    WHERE (`orgCode`, `roleCode`, `accountStatus`) = (old.`orgCode`, old.`roleCode`, old.`accountStatus`);
  INSERT INTO `member_search` (`member_search`, `rowid`, `text`, `status`)
    SELECT 'delete', `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = old.`id`;
END;
