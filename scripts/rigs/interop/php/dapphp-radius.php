<?php
// Signs a user in with dapphp/radius, which only sends a Message-Authenticator if configured.
require '/usr/share/php/Dapphp/Radius/autoload.php';

$client = new Dapphp\Radius\Radius();
$client->setServer('127.0.0.1')->setAuthenticationPort((int) getenv('PORT'))->setSecret(getenv('SECRET'));
$client->setNasIpAddress('127.0.0.1')->setIncludeMessageAuthenticator(true)->setTimeout(10);
$isIn = $client->accessRequest(getenv('EMAIL'), 'x');
echo $isIn ? 'Welcome, ' . getenv('EMAIL') : 'Refused: ' . $client->getErrorMessage(), "\n";
