<?php
$config = [
    'default-sp' => [
        'saml:SP',
        'entityID' => '${URL}/metadata',
        'idp' => '${IDP}',
        'privatekey' => 'key.pem',
        'certificate' => 'certificate.pem',
        'sign.authnrequest' => ${SIGNING},
        'sign.logout' => true,
        'validate.logout' => true,
        'WantAssertionsSigned' => true,
        'NameIDPolicy' => false,
        'RelayState' => '${URL}/me',
    ],
];
