UPDATE `oidc_clients` SET `claims` = (SELECT json_group_array(json_set(value, '$.groups', json('[]'))) FROM json_each(`claims`)) WHERE `claims` <> '[]';
