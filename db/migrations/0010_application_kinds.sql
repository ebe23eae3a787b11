ALTER TABLE `oidc_clients` ADD `kind` text DEFAULT 'web' NOT NULL;--> statement-breakpoint
-- Until now a client was public because it had no secret: one with an address of its own scheme is on a person's device.
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
);--> statement-breakpoint
-- A lifetime of 0 was a second; now only that of refresh tokens may be 0.
UPDATE oidc_clients SET
  "ttlIdToken" = max(1, "ttlIdToken"),
  "ttlAccessToken" = max(1, "ttlAccessToken"),
  "ttlAuthorizationCode" = max(1, "ttlAuthorizationCode")
WHERE min("ttlIdToken", "ttlAccessToken", "ttlAuthorizationCode") < 1;
