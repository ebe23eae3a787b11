-- All changes of the schema since 0.1.0, in one migration.
DROP INDEX `challenges_asked_for`;
--> statement-breakpoint
DROP INDEX `members_user_name`;
--> statement-breakpoint
ALTER TABLE `activation_codes` ADD `isOwn` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `app_logins` ADD `browser` text;
--> statement-breakpoint
ALTER TABLE `app_logins` DROP COLUMN `browserHash`;
--> statement-breakpoint
ALTER TABLE `app_logins` ADD `isFromAnotherSite` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `app_tries` RENAME COLUMN "browserHash" TO "browser";
--> statement-breakpoint
ALTER TABLE `applications` ADD `usableBy` text;
--> statement-breakpoint
ALTER TABLE `applications` ADD `startUrl` text;
--> statement-breakpoint
ALTER TABLE `applications` ADD `logo` text;
--> statement-breakpoint
ALTER TABLE `challenges` ADD `network` text;
--> statement-breakpoint
ALTER TABLE `challenges` ADD `browser` text;
--> statement-breakpoint
ALTER TABLE `devices` ADD `approvesFrom` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `devices` ADD `endedAt` integer;
--> statement-breakpoint
ALTER TABLE `external_sign_ins` RENAME COLUMN "browserHash" TO "browser";
--> statement-breakpoint
ALTER TABLE `invitations` ADD `invitedAt` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `invitations` ADD `invitedBy` text;
--> statement-breakpoint
ALTER TABLE `invitations` ADD `closedAt` integer;
--> statement-breakpoint
ALTER TABLE `members` ADD `scimAttributes` text;
--> statement-breakpoint
ALTER TABLE `members` ADD `userNameKey` text;
--> statement-breakpoint
ALTER TABLE `members` ADD `language` text;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `kind` text DEFAULT 'web' NOT NULL;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `backchannelLogoutUri` text;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `frontchannelLogoutUri` text;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `claims` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `jwks` text;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `jwksUri` text;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `idTokenAlg` text DEFAULT 'RS256' NOT NULL;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `registrationTokenHash` text;
--> statement-breakpoint
ALTER TABLE `oidc_clients` ADD `registeredName` text;
--> statement-breakpoint
ALTER TABLE `oidc_models` ADD `browser` text;
--> statement-breakpoint
ALTER TABLE `organisations` ADD `logoutTogether` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `organisations` ADD `mailLanguage` text DEFAULT 'en' NOT NULL;
--> statement-breakpoint
ALTER TABLE `outbox` ADD `language` text DEFAULT 'en' NOT NULL;
--> statement-breakpoint
ALTER TABLE `passkeys` ADD `backupEligible` integer;
--> statement-breakpoint
ALTER TABLE `push_denials` ADD `browser` text;
--> statement-breakpoint
ALTER TABLE `remembered_browsers` ADD `browser` text;
--> statement-breakpoint
ALTER TABLE `roles` ADD `createdAt` integer;
--> statement-breakpoint
ALTER TABLE `roles` ADD `changedAt` integer;
--> statement-breakpoint
ALTER TABLE `saml_service_providers` ADD `encryptAssertions` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `browser` text;
--> statement-breakpoint
CREATE TABLE `api_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`identifier` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text DEFAULT '[]' NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `app_logos` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`contentType` text NOT NULL,
	`bytes` blob NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `group_members` (
	`orgCode` text NOT NULL,
	`groupId` text NOT NULL,
	`suid` text NOT NULL,
	PRIMARY KEY(`groupId`, `suid`, `orgCode`),
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`groupId`,`orgCode`) REFERENCES `groups`(`groupId`,`orgCode`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `groups` (
	`orgCode` text NOT NULL,
	`groupId` text NOT NULL,
	`displayName` text NOT NULL,
	`nameKey` text NOT NULL,
	`externalId` text,
	`createdAt` integer NOT NULL,
	`changedAt` integer NOT NULL,
	PRIMARY KEY(`groupId`, `orgCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE TABLE `logouts` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`browser` text NOT NULL,
	`begunBy` text NOT NULL,
	`goesTo` text NOT NULL,
	`participants` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`gatheredAt` integer, `otherBrowsers` text DEFAULT '[]' NOT NULL, `startedBy` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE "mail_texts" (
	`orgCode` text NOT NULL,
	`template` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	PRIMARY KEY(`orgCode`, `template`, `language`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `network_clients` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`secret` text NOT NULL,
	`method` text DEFAULT 'number' NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE "provisioned_people" (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text,
	`groupId` text,
	`remoteId` text,
	`sent` text,
	`status` text DEFAULT 'waiting' NOT NULL,
	`mark` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer,
	`leasedUntil` integer,
	`logNumber` integer,
	`inScope` integer DEFAULT true NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `provisioning_targets`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE "provisioning_log" (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text,
	`groupId` text,
	`groupName` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text NOT NULL,
	`requests` text NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `provisioning_targets`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `provisioning_targets` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`url` text NOT NULL,
	`authentication` text NOT NULL,
	`username` text DEFAULT '' NOT NULL,
	`secret` text NOT NULL,
	`enabled` integer NOT NULL,
	`changesBy` text NOT NULL,
	`withoutAccess` text NOT NULL,
	`createdAt` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`pausedUntil` integer,
	`stoppedAt` integer,
	`stopReason` text DEFAULT '' NOT NULL, `sendManagers` integer DEFAULT false NOT NULL, `sendRoles` integer DEFAULT false NOT NULL, `sendAttributes` text DEFAULT '[]' NOT NULL, `sendGroups` integer DEFAULT false NOT NULL, `markedUpTo` integer, `marksAnew` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `registration_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer,
	`madeBySuid` text,
	`lastUsedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `saml_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`browser` text,
	`nameId` text NOT NULL,
	`nameIdFormat` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL, `zid` text,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `scim_schemas` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`urn` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`attributes` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`madeBySuid` text,
	`ceiling` text DEFAULT '[]' NOT NULL,
	`lastUsedAt` integer, `expiresAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `setup_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`usedAt` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `unix_groups` (
	`orgCode` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `kind`, `id`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `used_applications` (
	`browser` text NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`usedAt` integer NOT NULL,
	PRIMARY KEY(`browser`, `orgCode`, `appId`, `suid`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `worlds` (
	`id` integer PRIMARY KEY NOT NULL,
	`randomSeed` text NOT NULL
, `keysFrom` text);
--> statement-breakpoint
-- In 0.1.0 a client was public if it had no secret. Clients with a redirect URI of a private scheme are native apps.
UPDATE oidc_clients
SET kind = CASE
  WHEN EXISTS (
    SELECT 1 FROM json_each("redirectUris")
    WHERE lower(value) NOT LIKE 'http:%' AND lower(value) NOT LIKE 'https:%' AND value NOT LIKE '/%'
  ) THEN 'native'
  ELSE 'single-page'
END
WHERE NOT EXISTS (
  SELECT 1 FROM client_secrets
  WHERE client_secrets."orgCode" = oidc_clients."orgCode" AND client_secrets."appId" = oidc_clients."appId"
);
--> statement-breakpoint
-- 0.1.0 treated a lifetime of 0 as one second. From now on, only refresh tokens can have a lifetime of 0.
UPDATE oidc_clients SET
  "ttlIdToken" = max(1, "ttlIdToken"),
  "ttlAccessToken" = max(1, "ttlAccessToken"),
  "ttlAuthorizationCode" = max(1, "ttlAuthorizationCode")
WHERE min("ttlIdToken", "ttlAccessToken", "ttlAuthorizationCode") < 1;
--> statement-breakpoint
UPDATE `members` SET `userNameKey` = lower(`userName`) WHERE `userName` IS NOT NULL;
--> statement-breakpoint
-- Members whose names differ only in the case of non-ASCII letters keep separate keys.
UPDATE `members` SET `userNameKey` = folded(`userName`) WHERE `userName` IS NOT NULL AND (`orgCode`, folded(`userName`)) IN (SELECT `orgCode`, folded(`userName`) FROM `members` WHERE `userName` IS NOT NULL AND `accountStatus` <> 'deleted' GROUP BY 1, 2 HAVING count(*) = 1);
--> statement-breakpoint
UPDATE `invitations` SET `invitedAt` = `validFrom`;
--> statement-breakpoint
-- Only the newest invitation of a member is open, unless the member has such a device or was deleted.
UPDATE `invitations` SET `closedAt` = `validFrom` WHERE EXISTS (SELECT 1 FROM `invitations` AS `newer` WHERE `newer`.`suid` = `invitations`.`suid` AND `newer`.`type` = `invitations`.`type` AND (`newer`.`expiresAt`, `newer`.`hash`) > (`invitations`.`expiresAt`, `invitations`.`hash`)) OR EXISTS (SELECT 1 FROM `devices` WHERE `devices`.`suid` = `invitations`.`suid` AND `devices`.`type` = `invitations`.`type` AND `devices`.`status` = 'active') OR EXISTS (SELECT 1 FROM `members` WHERE `members`.`suid` = `invitations`.`suid` AND `members`.`accountStatus` = 'deleted');
--> statement-breakpoint
CREATE UNIQUE INDEX `api_resources_identifier` ON `api_resources` (`identifier`,`orgCode`);
--> statement-breakpoint
CREATE INDEX `challenges_asked_for` ON `challenges` (`askedFor`,`orgCode`,`network`,`expiresAt`) WHERE "challenges"."askedFor" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `group_members_member` ON `group_members` (`suid`,`orgCode`);
--> statement-breakpoint
CREATE INDEX `groups_external_id` ON `groups` (`externalId`,`orgCode`) WHERE "groups"."externalId" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `groups_name` ON `groups` (`orgCode`,`nameKey`);
--> statement-breakpoint
CREATE INDEX `invitations_open` ON `invitations` (`orgCode`,`expiresAt`,`suid`,`type`) WHERE "invitations"."closedAt" IS NULL;
--> statement-breakpoint
CREATE INDEX `logout_notices_application` ON `logout_notices` (`orgCode`,`appId`);
--> statement-breakpoint
CREATE INDEX `logout_notices_due` ON `logout_notices` (`nextAttemptAt`);
--> statement-breakpoint
CREATE INDEX `logouts_expiry` ON `logouts` (`expiresAt`);
--> statement-breakpoint
CREATE INDEX `logouts_organisation` ON `logouts` (`orgCode`);
--> statement-breakpoint
-- Letters such as ß, æ and ł are searched by their plain spelling (`written-out.ts`). drizzle-kit splits these
-- expressions at their commas, so both indexes are written by hand.
CREATE INDEX `members_first_name` ON `members` (`orgCode`,CASE WHEN "firstName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("firstName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "firstName" END COLLATE NOCASE,CASE WHEN "lastName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("lastName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "lastName" END COLLATE NOCASE);
--> statement-breakpoint
CREATE INDEX `members_kept_addresses` ON `members` (`orgCode`) WHERE "members"."scimAttributes" ->> '$.emails' IS NOT NULL AND "members"."accountStatus" <> 'deleted';
--> statement-breakpoint
CREATE INDEX `members_last_name` ON `members` (`orgCode`,CASE WHEN "lastName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("lastName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "lastName" END COLLATE NOCASE,CASE WHEN "firstName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("firstName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "firstName" END COLLATE NOCASE);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_user_name` ON `members` (`orgCode`,`userNameKey`) WHERE "members"."userNameKey" IS NOT NULL AND "members"."accountStatus" <> 'deleted';
--> statement-breakpoint
CREATE INDEX `oidc_models_browser` ON `oidc_models` (`browser`,`orgCode`) WHERE "oidc_models"."browser" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `provisioned_people_due` ON `provisioned_people` (`nextAttemptAt`) WHERE "provisioned_people"."nextAttemptAt" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_people_group` ON `provisioned_people` (`groupId`,`appId`,`orgCode`) WHERE "provisioned_people"."groupId" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `provisioned_people_person` ON `provisioned_people` (`suid`,`appId`,`orgCode`);
--> statement-breakpoint
CREATE INDEX `provisioned_people_status` ON `provisioned_people` (`appId`,`orgCode`,`status`,`groupId`);
--> statement-breakpoint
CREATE INDEX `provisioning_log_app` ON `provisioning_log` (`appId`,`orgCode`,`number`);
--> statement-breakpoint
CREATE INDEX `provisioning_log_person` ON `provisioning_log` (`suid`);
--> statement-breakpoint
CREATE INDEX `provisioning_log_time` ON `provisioning_log` (`at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `registration_tokens_hash` ON `registration_tokens` (`orgCode`,`hash`);
--> statement-breakpoint
CREATE INDEX `saml_sessions_application` ON `saml_sessions` (`orgCode`,`appId`,`nameId`);
--> statement-breakpoint
CREATE INDEX `saml_sessions_browser` ON `saml_sessions` (`browser`,`orgCode`);
--> statement-breakpoint
CREATE INDEX `saml_sessions_device` ON `saml_sessions` (`zid`,`orgCode`);
--> statement-breakpoint
CREATE INDEX `saml_sessions_expiry` ON `saml_sessions` (`expiresAt`);
--> statement-breakpoint
CREATE INDEX `saml_sessions_member` ON `saml_sessions` (`suid`,`orgCode`);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_schemas_urn` ON `scim_schemas` (`orgCode`,lower("urn"));
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_tokens_hash` ON `scim_tokens` (`orgCode`,`hash`);
--> statement-breakpoint
CREATE INDEX `sessions_browser` ON `sessions` (`browser`,`orgCode`) WHERE "sessions"."browser" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `unix_groups_number` ON `unix_groups` (`orgCode`,`number`);
--> statement-breakpoint
CREATE INDEX `used_applications_age` ON `used_applications` (`usedAt`);
--> statement-breakpoint
CREATE INDEX `used_applications_application` ON `used_applications` (`orgCode`,`appId`);
--> statement-breakpoint
DROP VIEW `member_search_texts`;
--> statement-breakpoint
-- Names begin with char(2) or char(3), so that the index also finds the beginning of a name. Non-ASCII names end with
-- char(4), so that they are found as a whole whatever their accents; after every name it would be too frequent to help
-- (decision 060).
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
