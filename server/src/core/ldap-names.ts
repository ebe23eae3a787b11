/** An application as its names in LDAP have it. Ids and codes need no escaping: letters, digits, `-` and `_`. */
interface Named {
  orgCode: string;
  appId: string;
}

/** The entry under which everything of an LDAP application is. */
export const baseDnOf = ({ orgCode, appId }: Named): string => `ou=${appId},o=${orgCode}`;

/** The account with which the application itself searches. */
export const serviceDnOf = (application: Named): string => `cn=service,${baseDnOf(application)}`;
