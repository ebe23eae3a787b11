// Loaded before a program that is measured: tells whoever started it what it has used so far. The same in every program,
// and plain JavaScript, because stripping types would cost a program that has none time and 25 MB.
process.on('message', () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }));
process.channel.unref();
