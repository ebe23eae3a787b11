import { Client } from 'ldapts';

const { ADDRESS, BASE_DN, BIND_DN, SECRET, EMAIL } = process.env;
const client = new Client({ url: ADDRESS });
try {
  await client.bind(BIND_DN, SECRET);
  const { searchEntries } = await client.search(BASE_DN, { filter: `(mail=${EMAIL})`, paged: true });
  const [{ dn, mail }] = searchEntries;
  if (process.argv[2] === 'search') console.log(`mail: ${mail}`);
  else {
    await client.bind(dn, 'x');
    console.log(`Welcome, ${mail}`);
  }
} catch (reason) {
  console.log(`Refused: ${reason.message}`);
}
await client.unbind();
