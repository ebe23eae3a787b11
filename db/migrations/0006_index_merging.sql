-- The search indexes merge between requests (db/src/index-merges.ts), and within a write only where nobody does that.
INSERT INTO `member_search` (`member_search`, `rank`) VALUES ('automerge', 0);
--> statement-breakpoint
INSERT INTO `member_search` (`member_search`, `rank`) VALUES ('crisismerge', 100);
--> statement-breakpoint
INSERT INTO `audit_search` (`audit_search`, `rank`) VALUES ('automerge', 0);
--> statement-breakpoint
INSERT INTO `audit_search` (`audit_search`, `rank`) VALUES ('crisismerge', 100);
