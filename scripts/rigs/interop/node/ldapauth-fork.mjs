import LdapAuth from 'ldapauth-fork';

const { ADDRESS, BASE_DN, BIND_DN, SECRET, EMAIL } = process.env;
const isSearch = process.argv[2] === 'search';
const directory = new LdapAuth({
  url: ADDRESS,
  bindDN: BIND_DN,
  bindCredentials: SECRET,
  searchBase: BASE_DN,
  searchFilter: '(mail={{username}})',
  groupSearchBase: BASE_DN,
  groupSearchFilter: '(member={{dn}})',
});
directory.on('error', (reason) => console.log(reason.message));
directory.authenticate(EMAIL, 'x', (reason, person) => {
  if (reason) console.log(`Refused: ${reason.message ?? reason}`);
  else if (isSearch) console.log(`mail: ${person.mail}`);
  else console.log(`Welcome, ${person.mail}`);
  directory.close(() => process.exit());
});
