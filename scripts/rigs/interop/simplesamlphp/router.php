<?php
// The site, with SimpleSAMLphp at /simplesaml as in Debian's Apache configuration.
$root = '/usr/share/simplesamlphp';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if (preg_match('#^/simplesaml/(module|logout|errorreport)\.php(/.*)?$#', $path, $found)) {
    $_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = "/simplesaml/$found[1].php";
    $_SERVER['SCRIPT_FILENAME'] = "$root/www/$found[1].php";
    $_SERVER['PATH_INFO'] = $found[2] ?? '';
    require "$root/www/$found[1].php";
    return;
}

require "$root/lib/_autoload.php";
$site = new \SimpleSAML\Auth\Simple('default-sp');
if ($path === '/login') {
    $site->requireAuth(['ReturnTo' => '${URL}/me']);
    echo 'Signed in.';
} elseif ($path === '/me') {
    if (!$site->isAuthenticated()) {
        http_response_code(401);
    }
    echo $site->isAuthenticated() ? $site->getAuthData('saml:sp:NameID')->getValue() : 'Not signed in.';
} elseif ($path === '/logout') {
    $site->logout('${URL}/signed-out');
} else {
    echo 'Goodbye.';
}
