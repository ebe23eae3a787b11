-- The index is merged 64 pages at a time while many members are written: small ones keep each merge short.
INSERT INTO `member_search` (`member_search`, `rank`) VALUES ('pgsz', 1000);
