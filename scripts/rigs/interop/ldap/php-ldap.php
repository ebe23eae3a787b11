<?php
// Finds a user with the application's account and signs them in with PHP's ldap_* functions.
$directory = ldap_connect(getenv('ADDRESS'));
ldap_set_option($directory, LDAP_OPT_PROTOCOL_VERSION, 3);
if (!ldap_bind($directory, getenv('BIND_DN'), getenv('SECRET'))) exit(1);
$filter = '(&(objectClass=inetOrgPerson)(mail=' . ldap_escape(getenv('EMAIL'), '', LDAP_ESCAPE_FILTER) . '))';
$found = ldap_get_entries($directory, ldap_search($directory, getenv('BASE_DN'), $filter, ['mail']));
if ($argv[1] === 'search') {
    echo "mail: {$found[0]['mail'][0]}\n";
} elseif (ldap_bind($directory, $found[0]['dn'], 'x')) {
    echo 'Welcome, ' . getenv('EMAIL') . "\n";
}
