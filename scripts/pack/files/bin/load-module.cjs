// `require` can't load ES modules everywhere. This CommonJS file explains the fix.
module.exports = (entry, load) => {
  if (entry !== 'orchestrate/contract' && typeof TextDecoder === 'undefined')
    throw new Error(`${entry} needs TextDecoder, which Jest's jsdom lacks: set testEnvironment to jest-fixed-jsdom.`);
  try {
    return load();
  } catch (reason) {
    if (reason.code !== 'ERR_REQUIRE_ESM') throw reason;
    const node = `before Node.js 24.9 also use \`await import('${entry}')\` instead of \`require\``;
    throw new Error(`${entry} is an ES module. Run Jest with NODE_OPTIONS=--experimental-vm-modules; ${node}.`);
  }
};
