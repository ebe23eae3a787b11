-- A code that was locked stays locked, from wherever it is tried.
UPDATE activation_codes SET wrongTriesInAll = CASE WHEN wrongTries >= 5 THEN 15 ELSE wrongTries END WHERE wrongTriesInAll = 0;--> statement-breakpoint
-- Organisations of the demo, which are those with simulated devices, go on answering with every result code.
UPDATE organisations SET discloseUnknownUsers = 1 WHERE orgCode IN (SELECT DISTINCT devices.orgCode FROM virtual_devices JOIN devices ON devices.zid = virtual_devices.zid);
