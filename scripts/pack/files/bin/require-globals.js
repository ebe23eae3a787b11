// Before fastify and the like, which would end without saying what to do.
const lacking = ['TextDecoder', 'TextEncoder', 'fetch'].find((name) => !(name in globalThis));

if (lacking)
  throw new Error(
    `orchestrate/testing needs ${lacking}, which this test environment lacks. Where it is jsdom of Jest, take jest-fixed-jsdom.`,
  );
