import ActiveDirectory from 'activedirectory2';

const { ADDRESS, BASE_DN, BIND_DN, SECRET, EMAIL } = process.env;
const directory = new ActiveDirectory({ url: ADDRESS, baseDN: BASE_DN, username: BIND_DN, password: SECRET });

const found = (reason, person) => {
  console.log(person ? `mail: ${person.mail}` : `Rejected: ${reason?.message ?? 'no user found'}`);
  process.exit();
};
const signedIn = (reason, isIn) => {
  console.log(isIn ? `Welcome, ${EMAIL}` : `Refused: ${reason?.message ?? JSON.stringify(reason)}`);
  process.exit();
};
if (process.argv[2] === 'search') directory.findUser(EMAIL, found);
else directory.authenticate(EMAIL, 'x', signedIn);
