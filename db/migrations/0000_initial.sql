CREATE TABLE `app_logins` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`protocol` text NOT NULL,
	`request` text DEFAULT '' NOT NULL,
	`browserHash` text NOT NULL,
	`loginHint` text DEFAULT '' NOT NULL,
	`needsStepUp` integer DEFAULT false NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`suid` text,
	`zid` text,
	`mode` text,
	`authenticatedAt` integer,
	`claimedAt` integer,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `app_logins_application` ON `app_logins` (`orgCode`,`appId`);--> statement-breakpoint
CREATE INDEX `app_logins_expiry` ON `app_logins` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `app_tries` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`protocol` text NOT NULL,
	`suid` text NOT NULL,
	`browserHash` text NOT NULL,
	`nonce` text NOT NULL,
	`codeVerifier` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`returnedAt` integer,
	`result` text,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `app_tries_application` ON `app_tries` (`appId`,`orgCode`);--> statement-breakpoint
CREATE INDEX `app_tries_expiry` ON `app_tries` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `applications` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`name` text NOT NULL,
	`nameKey` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`integrationType` text NOT NULL,
	`maxCookieLife` integer DEFAULT 0 NOT NULL,
	`didEnabled` integer DEFAULT true NOT NULL,
	`webAuthnEnabled` integer DEFAULT true NOT NULL,
	`desktopAppEnabled` integer DEFAULT true NOT NULL,
	`forceAuthnEnabled` integer DEFAULT false NOT NULL,
	`createdAt` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `applications_name` ON `applications` (`orgCode`,`nameKey`);--> statement-breakpoint
CREATE TABLE `client_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`name` text NOT NULL,
	`secret` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer,
	`lastUsedAt` integer,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `client_secrets_app` ON `client_secrets` (`orgCode`,`appId`);--> statement-breakpoint
CREATE TABLE `oidc_clients` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`redirectUris` text NOT NULL,
	`postLogoutRedirectUris` text NOT NULL,
	`ttlIdToken` integer NOT NULL,
	`ttlAccessToken` integer NOT NULL,
	`ttlAuthorizationCode` integer NOT NULL,
	`ttlRefreshToken` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `saml_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`privateKey` text NOT NULL,
	`certificate` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saml_keys_organisation` ON `saml_keys` (`orgCode`,`createdAt`);--> statement-breakpoint
CREATE TABLE `saml_service_providers` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`metadata` text NOT NULL,
	`redirectUrl` text NOT NULL,
	`nameId` text NOT NULL,
	`nameIdFormat` text DEFAULT '' NOT NULL,
	`nameIdTransformationTemplate` text DEFAULT '' NOT NULL,
	`attributes` text NOT NULL,
	`attributesConfig` text NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `remembered_browsers` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`zid` text NOT NULL,
	`secretHash` text NOT NULL,
	`previousHash` text,
	`rotatedAt` integer,
	`userAgent` text NOT NULL,
	`ip` text NOT NULL,
	`createdAt` integer NOT NULL,
	`lastUsedAt` integer NOT NULL,
	`revokedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `remembered_browsers_member` ON `remembered_browsers` (`suid`,`orgCode`);--> statement-breakpoint
CREATE INDEX `remembered_browsers_device` ON `remembered_browsers` (`zid`,`orgCode`);--> statement-breakpoint
CREATE INDEX `remembered_browsers_age` ON `remembered_browsers` (`createdAt`);--> statement-breakpoint
CREATE TABLE `challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`kind` text NOT NULL,
	`mode` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`qid` text,
	`did` text,
	`suid` text,
	`appType` text,
	`appName` text,
	`appLoginId` text,
	`zid` text,
	`deviceName` text,
	`matchNumber` text,
	`numberChoices` text,
	`requesterIp` text NOT NULL,
	`requesterAgent` text NOT NULL,
	`requesterName` text,
	`requesterSuid` text,
	`epoch` text,
	`pairing` text,
	`pairingId` text,
	`resultCode` text,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`resolvedAt` integer,
	`answeredAt` integer,
	`exchangedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `challenges_qid` ON `challenges` (`qid`);--> statement-breakpoint
CREATE UNIQUE INDEX `challenges_did` ON `challenges` (`did`,`orgCode`);--> statement-breakpoint
CREATE UNIQUE INDEX `challenges_pairing` ON `challenges` (`pairingId`);--> statement-breakpoint
CREATE INDEX `challenges_waiting` ON `challenges` (`suid`,`orgCode`,`status`,`expiresAt`);--> statement-breakpoint
CREATE INDEX `challenges_requester` ON `challenges` (`requesterSuid`,`epoch`,`orgCode`) WHERE "challenges"."requesterSuid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `challenges_expiry` ON `challenges` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `device_signatures` (
	`id` text PRIMARY KEY NOT NULL,
	`expiresAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_signatures_expiry` ON `device_signatures` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `devices` (
	`zid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`name` text NOT NULL,
	`nickName` text DEFAULT '' NOT NULL,
	`type` text NOT NULL,
	`platform` text NOT NULL,
	`status` text NOT NULL,
	`publicKey` text,
	`thumbprint` text,
	`registeredAt` integer NOT NULL,
	`lastLoginAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `devices_member` ON `devices` (`suid`,`orgCode`,`status`);--> statement-breakpoint
CREATE INDEX `devices_thumbprint` ON `devices` (`orgCode`,`thumbprint`);--> statement-breakpoint
CREATE UNIQUE INDEX `devices_key` ON `devices` (`orgCode`,`thumbprint`) WHERE "devices"."status" IN ('active', 'paused');--> statement-breakpoint
CREATE TABLE `virtual_devices` (
	`zid` text PRIMARY KEY NOT NULL,
	`privateKey` text NOT NULL,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `external_sign_ins` (
	`stateHash` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`browserHash` text NOT NULL,
	`nonce` text NOT NULL,
	`codeVerifier` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`returnedAt` integer,
	`suid` text,
	`codeHash` text,
	`approvedAt` integer,
	`exchangedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `external_sign_ins_code` ON `external_sign_ins` (`codeHash`);--> statement-breakpoint
CREATE INDEX `external_sign_ins_expiry` ON `external_sign_ins` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `faq_categories` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`nameKey` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `faq_categories_name` ON `faq_categories` (`orgCode`,`nameKey`);--> statement-breakpoint
CREATE TABLE `faq_records` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`subcategoryId` text NOT NULL,
	`question` text NOT NULL,
	`answer` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subcategoryId`) REFERENCES `faq_subcategories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `faq_records_subcategory` ON `faq_records` (`subcategoryId`);--> statement-breakpoint
CREATE INDEX `faq_records_organisation` ON `faq_records` (`orgCode`);--> statement-breakpoint
CREATE TABLE `faq_subcategories` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`categoryId` text NOT NULL,
	`name` text NOT NULL,
	`nameKey` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`categoryId`) REFERENCES `faq_categories`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `faq_subcategories_name` ON `faq_subcategories` (`categoryId`,`nameKey`);--> statement-breakpoint
CREATE INDEX `faq_subcategories_organisation` ON `faq_subcategories` (`orgCode`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`hash` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`type` text NOT NULL,
	`email` text NOT NULL,
	`validFrom` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `invitations_member` ON `invitations` (`suid`,`type`,`orgCode`);--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `one_time_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`to` text NOT NULL,
	`hash` text NOT NULL,
	`issuedAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`wrongTries` integer DEFAULT 0 NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `one_time_codes_member` ON `one_time_codes` (`suid`,`orgCode`,`issuedAt`);--> statement-breakpoint
CREATE INDEX `one_time_codes_to` ON `one_time_codes` (`to`,`orgCode`,`issuedAt`);--> statement-breakpoint
CREATE INDEX `one_time_codes_expiry` ON `one_time_codes` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `member_counts` (
	`orgCode` text NOT NULL,
	`roleCode` text NOT NULL,
	`accountStatus` text NOT NULL,
	`members` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `roleCode`, `accountStatus`)
);
--> statement-breakpoint
CREATE TABLE `member_trigger_rests` (
	`id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `activation_codes` (
	`suid` text NOT NULL,
	`type` text NOT NULL,
	`orgCode` text NOT NULL,
	`code` text NOT NULL,
	`expiresAt` integer NOT NULL,
	`wrongTries` integer DEFAULT 0 NOT NULL,
	`usedAt` integer,
	`issuedAt` integer NOT NULL,
	PRIMARY KEY(`suid`, `type`),
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `activation_codes_code` ON `activation_codes` (`code`,`orgCode`);--> statement-breakpoint
CREATE INDEX `activation_codes_expiry` ON `activation_codes` (`orgCode`,`expiresAt`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` integer PRIMARY KEY NOT NULL,
	`suid` text NOT NULL,
	`orgCode` text NOT NULL,
	`primaryAttr` text NOT NULL,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`primaryEmail` text NOT NULL,
	`mobileNumber` text,
	`roleCode` text DEFAULT 'USER' NOT NULL,
	`accountStatus` text NOT NULL,
	`statusBeforePause` text,
	`isManager` integer DEFAULT false NOT NULL,
	`managerSuid` text,
	`hasPermissionForMobileApp` integer DEFAULT true NOT NULL,
	`hasPermissionForWindowsApp` integer DEFAULT true NOT NULL,
	`lastSeenAt` integer,
	`createdAt` integer NOT NULL,
	`externalId` text,
	`userName` text,
	`provisionedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`roleCode`) REFERENCES `roles`(`orgCode`,`roleCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_suid` ON `members` (`suid`);--> statement-breakpoint
CREATE UNIQUE INDEX `members_primary_attr` ON `members` (`orgCode`,`primaryAttr`) WHERE "members"."accountStatus" <> 'deleted';--> statement-breakpoint
CREATE UNIQUE INDEX `members_primary_email` ON `members` (`orgCode`,`primaryEmail`) WHERE "members"."accountStatus" <> 'deleted';--> statement-breakpoint
CREATE INDEX `members_deleted` ON `members` (`orgCode`,`primaryAttr`) WHERE "members"."accountStatus" = 'deleted';--> statement-breakpoint
CREATE INDEX `members_email_everywhere` ON `members` (`primaryEmail`) WHERE "members"."accountStatus" <> 'deleted';--> statement-breakpoint
CREATE INDEX `members_manager` ON `members` (`managerSuid`,`orgCode`);--> statement-breakpoint
CREATE INDEX `members_mobile` ON `members` (`mobileNumber`,`orgCode`) WHERE "members"."mobileNumber" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `members_external_id` ON `members` (`externalId`,`orgCode`) WHERE "members"."externalId" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `members_user_name` ON `members` (`orgCode`,lower("userName")) WHERE "members"."userName" IS NOT NULL AND "members"."accountStatus" <> 'deleted';--> statement-breakpoint
CREATE INDEX `members_role` ON `members` (`orgCode`,`roleCode`);--> statement-breakpoint
CREATE TABLE `oidc_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`alg` text NOT NULL,
	`privateJwk` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oidc_keys_organisation` ON `oidc_keys` (`orgCode`,`createdAt`);--> statement-breakpoint
CREATE TABLE `oidc_models` (
	`idHash` text NOT NULL,
	`model` text NOT NULL,
	`orgCode` text NOT NULL,
	`payload` text NOT NULL,
	`grantId` text,
	`uid` text,
	`clientId` text,
	`suid` text,
	`zid` text,
	`consumedAt` integer,
	`expiresAt` integer NOT NULL,
	PRIMARY KEY(`idHash`, `model`, `orgCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`clientId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `oidc_models_grant` ON `oidc_models` (`grantId`,`orgCode`) WHERE "oidc_models"."grantId" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `oidc_models_uid` ON `oidc_models` (`uid`,`orgCode`) WHERE "oidc_models"."uid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `oidc_models_member` ON `oidc_models` (`suid`,`orgCode`) WHERE "oidc_models"."suid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `oidc_models_device` ON `oidc_models` (`zid`,`orgCode`) WHERE "oidc_models"."zid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `oidc_models_application` ON `oidc_models` (`orgCode`,`clientId`) WHERE "oidc_models"."clientId" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `oidc_models_expiry` ON `oidc_models` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `organisations` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`name` text NOT NULL,
	`primaryAttrField` text NOT NULL,
	`primaryEmailField` text DEFAULT 'primaryEmail' NOT NULL,
	`logo` text,
	`color` text DEFAULT '#FACC15' NOT NULL,
	`title` text NOT NULL,
	`bannerText` text DEFAULT '' NOT NULL,
	`loginButtonName` text DEFAULT 'Sign in' NOT NULL,
	`copyrightText` text DEFAULT '' NOT NULL,
	`portalOidcEnabled` integer DEFAULT false NOT NULL,
	`oidcButtonLabel` text DEFAULT '' NOT NULL,
	`didEnabled` integer DEFAULT true NOT NULL,
	`webAuthnEnabled` integer DEFAULT false NOT NULL,
	`mobileAppEnabled` integer DEFAULT true NOT NULL,
	`desktopAppEnabled` integer DEFAULT true NOT NULL,
	`forceAuthnEnabled` integer DEFAULT false NOT NULL,
	`stepUpAuthEnabled` integer DEFAULT false NOT NULL,
	`appLockEnabled` integer DEFAULT false NOT NULL,
	`allowReporteeSearch` integer DEFAULT true NOT NULL,
	`sessionTimeout` integer DEFAULT 720 NOT NULL,
	`maxCookieLife` integer DEFAULT 0 NOT NULL,
	`deviceLimit` integer DEFAULT 5 NOT NULL,
	`activationLinkDelayHours` integer DEFAULT 0 NOT NULL,
	`allowedIps` text DEFAULT '[]' NOT NULL,
	`allowedEmailDomains` text DEFAULT '[]' NOT NULL,
	`createdAt` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisations_number` ON `organisations` (`number`);--> statement-breakpoint
CREATE TABLE `roles` (
	`orgCode` text NOT NULL,
	`roleCode` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`permissions` text NOT NULL,
	`externalId` text,
	PRIMARY KEY(`orgCode`, `roleCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`use` text NOT NULL,
	`privateJwk` text NOT NULL,
	`createdAt` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`channel` text NOT NULL,
	`to` text NOT NULL,
	`template` text NOT NULL,
	`facts` text NOT NULL,
	`code` text,
	`createdAt` integer NOT NULL,
	`deliveredAt` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer,
	`lastError` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `outbox_to` ON `outbox` (`to`,`createdAt`);--> statement-breakpoint
CREATE INDEX `outbox_time` ON `outbox` (`createdAt`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`nextAttemptAt`) WHERE "outbox"."nextAttemptAt" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `passkeys` (
	`zid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`credentialId` text NOT NULL,
	`publicKey` blob NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backedUp` integer NOT NULL,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credentialId`);--> statement-breakpoint
CREATE INDEX `passkeys_org` ON `passkeys` (`orgCode`);--> statement-breakpoint
CREATE TABLE `login_history` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`zid` text,
	`deviceName` text NOT NULL,
	`deviceType` text,
	`appName` text NOT NULL,
	`mode` text NOT NULL,
	`ip` text NOT NULL,
	`loginStatus` text NOT NULL,
	`reason` text,
	`timestamp` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `login_history_member` ON `login_history` (`suid`,`orgCode`,`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `login_history_org` ON `login_history` (`orgCode`,`timestamp`,`loginStatus`,`reason`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`sid` text NOT NULL,
	`createdAt` integer NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`sid`) REFERENCES `sessions`(`sid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_session` ON `refresh_tokens` (`sid`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`sid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`zid` text,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`revokedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_member` ON `sessions` (`suid`,`orgCode`);--> statement-breakpoint
CREATE INDEX `sessions_device` ON `sessions` (`zid`,`orgCode`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `logos` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`contentType` text NOT NULL,
	`bytes` blob NOT NULL,
	`etag` text NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `portal_oidc` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`configurationUrl` text NOT NULL,
	`clientId` text NOT NULL,
	`clientSecret` text NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `scim_credentials` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`password` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `scim_log` (
	`orgCode` text NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`userName` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`detail` text NOT NULL,
	PRIMARY KEY(`orgCode`, `number`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
