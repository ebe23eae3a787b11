import { once } from 'node:events';
import ldap from 'ldapjs';

const { ADDRESS, BASE_DN, BIND_DN, SECRET, EMAIL } = process.env;
const client = ldap.createClient({ url: ADDRESS });
client.on('error', (reason) => console.log(reason.message));

const bind = (dn, password) =>
  new Promise((resolve, reject) => client.bind(dn, password, (reason) => (reason ? reject(reason) : resolve())));

async function find() {
  const filter = new ldap.EqualityFilter({ attribute: 'mail', value: EMAIL });
  const options = { scope: 'sub', filter, attributes: ['mail'], paged: true };
  const search = await new Promise((resolve, reject) =>
    client.search(BASE_DN, options, (reason, search) => (reason ? reject(reason) : resolve(search))),
  );
  const found = [];
  search.on('searchEntry', ({ pojo }) => found.push(pojo));
  await once(search, 'end');
  return found[0];
}

try {
  await bind(BIND_DN, SECRET);
  const person = await find();
  const [mail] = person.attributes.find(({ type }) => type === 'mail').values;
  if (process.argv[2] === 'search') console.log(`mail: ${mail}`);
  else {
    await bind(person.objectName, 'x');
    console.log(`Welcome, ${mail}`);
  }
} catch (reason) {
  console.log(`Refused: ${reason.message}`);
}
client.unbind(() => process.exit());
