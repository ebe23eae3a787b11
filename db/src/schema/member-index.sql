-- What SQLite keeps about members beside their rows: how many there are, and the index in which they are searched for.
-- drizzle-kit knows neither triggers nor virtual tables, so this file becomes a migration as it is.

-- The texts in which members are searched for, one row per field and member: member-search.ts says how they are numbered.
-- The status is one trigram behind a character that no text has; two of its letters tell it apart (decision 060).
CREATE VIEW `member_search_texts` AS
  SELECT `id`, `firstName` AS `text`, char(1) || substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) AS `status` FROM `members`
  UNION ALL SELECT `id` + (1 << 56), `lastName`, char(1) || substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) FROM `members`
  UNION ALL SELECT `id` + (2 << 56), `primaryEmail`, char(1) || substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) FROM `members`
  UNION ALL SELECT `id` + (3 << 56), `primaryAttr`, char(1) || substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) FROM `members`;
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
    SELECT new.`id` + (`field` << 56), `text`, char(1) || substr(new.`accountStatus`, 1, 1) || substr(new.`accountStatus`, 3, 1)
    FROM (SELECT 0 AS `field`, new.`firstName` AS `text`
      UNION ALL SELECT 1, new.`lastName`
      UNION ALL SELECT 2, new.`primaryEmail`
      UNION ALL SELECT 3, new.`primaryAttr`);
END;
--> statement-breakpoint
CREATE TRIGGER `members_updated` AFTER UPDATE OF `firstName`, `lastName`, `primaryEmail`, `primaryAttr`, `roleCode`, `accountStatus` ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  UPDATE `member_counts` SET `members` = `members` - 1
    WHERE (`orgCode`, `roleCode`, `accountStatus`) = (old.`orgCode`, old.`roleCode`, old.`accountStatus`);
  INSERT INTO `member_counts` VALUES (new.`orgCode`, new.`roleCode`, new.`accountStatus`, 1)
    ON CONFLICT DO UPDATE SET `members` = `members` + 1;
  INSERT INTO `member_search` (`member_search`, `rowid`, `text`, `status`)
    SELECT 'delete', old.`id` + (`field` << 56), `before`, char(1) || substr(old.`accountStatus`, 1, 1) || substr(old.`accountStatus`, 3, 1)
    FROM (SELECT 0 AS `field`, old.`firstName` AS `before`, new.`firstName` AS `after`
      UNION ALL SELECT 1, old.`lastName`, new.`lastName`
      UNION ALL SELECT 2, old.`primaryEmail`, new.`primaryEmail`
      UNION ALL SELECT 3, old.`primaryAttr`, new.`primaryAttr`)
    WHERE `before` <> `after` OR old.`accountStatus` <> new.`accountStatus`;
  INSERT INTO `member_search` (`rowid`, `text`, `status`)
    SELECT new.`id` + (`field` << 56), `after`, char(1) || substr(new.`accountStatus`, 1, 1) || substr(new.`accountStatus`, 3, 1)
    FROM (SELECT 0 AS `field`, old.`firstName` AS `before`, new.`firstName` AS `after`
      UNION ALL SELECT 1, old.`lastName`, new.`lastName`
      UNION ALL SELECT 2, old.`primaryEmail`, new.`primaryEmail`
      UNION ALL SELECT 3, old.`primaryAttr`, new.`primaryAttr`)
    WHERE `before` <> `after` OR old.`accountStatus` <> new.`accountStatus`;
END;
--> statement-breakpoint
CREATE TRIGGER `members_deleted` AFTER DELETE ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  UPDATE `member_counts` SET `members` = `members` - 1
    WHERE (`orgCode`, `roleCode`, `accountStatus`) = (old.`orgCode`, old.`roleCode`, old.`accountStatus`);
  INSERT INTO `member_search` (`member_search`, `rowid`, `text`, `status`)
    SELECT 'delete', old.`id` + (`field` << 56), `text`, char(1) || substr(old.`accountStatus`, 1, 1) || substr(old.`accountStatus`, 3, 1)
    FROM (SELECT 0 AS `field`, old.`firstName` AS `text`
      UNION ALL SELECT 1, old.`lastName`
      UNION ALL SELECT 2, old.`primaryEmail`
      UNION ALL SELECT 3, old.`primaryAttr`);
END;
