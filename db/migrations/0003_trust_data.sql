-- A code that was locked stays locked, from wherever it is tried.
UPDATE activation_codes SET wrongTriesInAll = CASE WHEN wrongTries >= 5 THEN 15 ELSE wrongTries END WHERE wrongTriesInAll = 0;
--> statement-breakpoint
-- Organisations of the demo, which are those with simulated devices, go on answering with every result code.
UPDATE organisations SET discloseUnknownUsers = 1 WHERE orgCode IN (SELECT DISTINCT devices.orgCode FROM virtual_devices JOIN devices ON devices.zid = virtual_devices.zid);
--> statement-breakpoint
-- An address counts as proven only where the data shows it: the one-time code of a sign-up that went to it was used, …
UPDATE members SET emailVerifiedAt = (
  SELECT max(usedAt) FROM one_time_codes
  WHERE one_time_codes.suid = members.suid AND one_time_codes.orgCode = members.orgCode
    AND one_time_codes."to" = members.primaryEmail AND one_time_codes.usedAt IS NOT NULL
)
WHERE emailVerifiedAt IS NULL AND suid IN (SELECT suid FROM one_time_codes WHERE usedAt IS NOT NULL);
--> statement-breakpoint
-- … or the link of an invitation that was mailed to it.
UPDATE members SET emailVerifiedAt = (
  SELECT max(usedAt) FROM invitations
  WHERE invitations.suid = members.suid AND invitations.orgCode = members.orgCode
    AND invitations.email = members.primaryEmail AND invitations.usedAt IS NOT NULL
)
WHERE emailVerifiedAt IS NULL AND suid IN (SELECT suid FROM invitations WHERE usedAt IS NOT NULL);
--> statement-breakpoint
-- People of the demo, who have simulated devices, are verified as in a new one.
UPDATE members SET emailVerifiedAt = createdAt WHERE emailVerifiedAt IS NULL AND suid IN (SELECT devices.suid FROM virtual_devices JOIN devices ON devices.zid = virtual_devices.zid);
--> statement-breakpoint
-- What guards the audit trail and what it is searched in. drizzle-kit knows neither triggers nor virtual tables.

CREATE VIEW IF NOT EXISTS `audit_search_texts` AS
SELECT
  `id`,
  `actorName` || char(10) || `objectName` || char(10) || `action` || char(10) || `ip` AS `text`,
  `marks`
FROM `audit_events`;
--> statement-breakpoint
CREATE VIRTUAL TABLE IF NOT EXISTS `audit_search` USING fts5(
  `text`, `marks`,
  content = 'audit_search_texts', content_rowid = 'id', columnsize = 0, tokenize = 'trigram remove_diacritics 1'
);
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `audit_events_inserted` AFTER INSERT ON `audit_events`
BEGIN
  INSERT INTO `audit_search` (`rowid`, `text`, `marks`)
    SELECT `id`, `text`, `marks` FROM `audit_search_texts` WHERE `id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `audit_events_updating` BEFORE UPDATE ON `audit_events`
BEGIN
  SELECT RAISE(ABORT, 'What happened is not changed');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `audit_events_deleting` BEFORE DELETE ON `audit_events`
BEGIN
  SELECT RAISE(ABORT, 'What happened is kept until its time is over')
    WHERE NOT EXISTS (SELECT 1 FROM `audit_retention` WHERE old.`id` < `before`);
  INSERT INTO `audit_search` (`audit_search`, `rowid`, `text`, `marks`)
    SELECT 'delete', `id`, `text`, `marks` FROM `audit_search_texts` WHERE `id` = old.`id`;
END;
--> statement-breakpoint
-- Sign-ins of before name their application only as it was called.
UPDATE `login_history` SET `appId` = coalesce((
  SELECT `applications`.`appId` FROM `applications`
  WHERE `applications`.`orgCode` = `login_history`.`orgCode` AND `applications`.`nameKey` = lower(`login_history`.`appName`)
    AND `applications`.`integrationType` <> 'portal'
), '') WHERE `appId` = '' AND `appName` <> 'Portal';
--> statement-breakpoint
-- What a message opens something with stands apart from what else it says, so that it can be sealed, and forgotten when it is over.
UPDATE outbox SET
  code = coalesce(code, json_extract(facts, '$.code'), json_extract(facts, '$.link')),
  secretUntil = json_extract(facts, '$.expiresAt'),
  facts = json_remove(facts, '$.code', '$.link')
WHERE template IN ('activation-code', 'invitation', 'one-time-code') AND json_extract(facts, '$.expiresAt') IS NOT NULL AND secretUntil IS NULL;
