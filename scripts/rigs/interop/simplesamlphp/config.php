<?php
$config = [
    'baseurlpath' => '${URL}/simplesaml/',
    'secretsalt' => 'only for this run',
    'auth.adminpassword' => 'only for this run, and not 123',
    'technicalcontact_email' => 'root@localhost',
    'timezone' => 'UTC',
    'tempdir' => '${FOLDER}/temp',
    'datadir' => '${FOLDER}/temp',
    'certdir' => '${FOLDER}/',
    'loggingdir' => '${FOLDER}/',
    'logging.handler' => 'errorlog',
    'session.cookie.secure' => false,
    'session.cookie.name' => 'site-session',
    'session.phpsession.cookiename' => 'site-php',
    'session.phpsession.savepath' => '${FOLDER}',
    'store.type' => 'phpsession',
    'metadata.sources' => [['type' => 'xml', 'file' => '${FOLDER}/idp.xml']],
];
