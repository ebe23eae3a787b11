CREATE TABLE `network_clients` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`secret` text NOT NULL,
	`method` text DEFAULT 'number' NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
