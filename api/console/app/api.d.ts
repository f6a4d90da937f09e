export interface paths {
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createManagementToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveConsoleSession"];
        put?: never;
        post: operations["createConsoleSession"];
        delete: operations["deleteConsoleSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveSignInProvider"];
        put: operations["replaceSignInProvider"];
        post?: never;
        delete: operations["deleteSignInProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in-provider/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testSignInProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWaysIn"];
        put?: never;
        post: operations["beginProviderSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishProviderSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveTenants"];
        put?: never;
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveTenant"];
        put: operations["updateTenant"];
        post?: never;
        delete: operations["deleteTenant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{tenantId}/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveClients"];
        put?: never;
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{tenantId}/clients/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveClient"];
        put: operations["updateClient"];
        post?: never;
        delete: operations["deleteClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{tenantId}/clients/{clientId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replaceClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{purpose}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveDids"];
        put?: never;
        post: operations["createDid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dids/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveDid"];
        put?: never;
        post?: never;
        delete: operations["deleteDid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/authentication-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveAuthenticationProviders"];
        put?: never;
        post: operations["createAuthenticationProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/authentication-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveAuthenticationProvider"];
        put: operations["updateAuthenticationProvider"];
        post?: never;
        delete: operations["deleteAuthenticationProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/authentication-providers/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testAuthenticationProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOpenIdConfiguration"];
        put: operations["updateOpenIdConfiguration"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/configuration/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testOpenIdConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/claim-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveClaimSources"];
        put?: never;
        post: operations["createClaimSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/claim-sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveClaimSource"];
        put: operations["updateClaimSource"];
        post?: never;
        delete: operations["deleteClaimSource"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/claim-sources/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testClaimSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/iacas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIacas"];
        put?: never;
        post: operations["createIaca"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/iacas/{iacaId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIaca"];
        put: operations["updateIaca"];
        post?: never;
        delete: operations["deleteIaca"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/iacas/{iacaId}/crl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIacaCrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/document-signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveDocumentSigners"];
        put?: never;
        post: operations["createDocumentSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/document-signers/{documentSignerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveDocumentSigner"];
        put: operations["updateDocumentSigner"];
        post?: never;
        delete: operations["deleteDocumentSigner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/document-signers/{documentSignerId}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeDocumentSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-list-signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveStatusListSigners"];
        put?: never;
        post: operations["createStatusListSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-list-signers/{statusListSignerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveStatusListSigner"];
        put: operations["updateStatusListSigner"];
        post?: never;
        delete: operations["deleteStatusListSigner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-list-signers/{statusListSignerId}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeStatusListSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactConfigurations"];
        put?: never;
        post: operations["createCompactConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/configurations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactConfiguration"];
        put: operations["updateCompactConfiguration"];
        post?: never;
        delete: operations["deleteCompactConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signCompact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/{id}/revocation-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactRevocationStatus"];
        put?: never;
        post: operations["setCompactRevocationStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteCompactCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/revocation-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactRevocationLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/revocation-lists/{listId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactRevocationList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactSemanticConfigurations"];
        put?: never;
        post: operations["createCompactSemanticConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/configurations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactSemanticConfiguration"];
        put: operations["updateCompactSemanticConfiguration"];
        post?: never;
        delete: operations["deleteCompactSemanticConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signCompactSemantic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/{id}/revocation-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactSemanticRevocationStatus"];
        put?: never;
        post: operations["setCompactSemanticRevocationStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteCompactSemanticCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/revocation-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactSemanticRevocationLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/revocation-lists/{listId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCompactSemanticRevocationList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebSemanticConfigurations"];
        put?: never;
        post: operations["createWebSemanticConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/configurations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebSemanticConfiguration"];
        put: operations["updateWebSemanticConfiguration"];
        post?: never;
        delete: operations["deleteWebSemanticConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/contexts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveContexts"];
        put?: never;
        post: operations["createContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/contexts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveContext"];
        put?: never;
        post?: never;
        delete: operations["deleteContext"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signWebSemantic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebSemanticCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebSemanticCredential"];
        put?: never;
        post?: never;
        delete: operations["deleteWebSemanticCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/{id}/revocation-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebSemanticRevocationStatus"];
        put?: never;
        post: operations["setWebSemanticRevocationStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/{id}/revocation-status/notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createWebSemanticRevocationMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/revocation-lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebSemanticRevocationList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveMobileConfigurations"];
        put?: never;
        post: operations["createMobileConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/configurations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveMobileConfiguration"];
        put: operations["updateMobileConfiguration"];
        post?: never;
        delete: operations["deleteMobileConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteMobileCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-lists/configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveStatusListConfigurations"];
        put?: never;
        post: operations["createStatusListConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-lists/configurations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveStatusListConfiguration"];
        put: operations["updateStatusListConfiguration"];
        post?: never;
        delete: operations["deleteStatusListConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/{credentialId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveMobileStatus"];
        put?: never;
        post: operations["setMobileStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-lists/distribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveMobileStatusLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-lists/{statusListId}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveMobileStatusListToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @deprecated */
        get: operations["listMobileStatusLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/status-lists/{statusListId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @deprecated */
        get: operations["retrieveMobileStatusList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["searchUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveUser"];
        put: operations["updateUser"];
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{userId}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveUserCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIssuedCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/issued/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIssuedCredential"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOAuthClients"];
        put?: never;
        post: operations["createOAuthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOAuthClient"];
        put: operations["updateOAuthClient"];
        post?: never;
        delete: operations["deleteOAuthClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/wallet-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWalletProviders"];
        put?: never;
        post: operations["createWalletProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/wallet-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWalletProvider"];
        put?: never;
        post?: never;
        delete: operations["deleteWalletProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/client-attestations/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testClientAttestation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOffers"];
        put?: never;
        post: operations["createOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/offers/pre-authorized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createPreAuthorizedOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/offers/pre-authorized/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deletePreAuthorizedOffer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["serveOffer"];
        put?: never;
        post?: never;
        delete: operations["deleteOffer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/offers/{id}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/offers/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOfferTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/o/{offerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/o/{offerId}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOfferPageState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/offers/{id}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOfferQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/logos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLogoAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/did.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveDidDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/did-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveDidConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/did-configuration.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLinkedDids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/iacas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrievePublishedIacas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-credential-issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOpenIdDiscovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth/par": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pushAuthorizationRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth/authentication/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth/interaction/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishInteraction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createNonce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["issueCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/deferred-credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["collectDeferredCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openid/notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["notifyIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/revocation-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setRevocationStatuses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/revocation-status/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRevocationStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/status-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveStatusLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebhook"];
        put: operations["updateWebhook"];
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/trusted-issuers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveTrustedIssuers"];
        put?: never;
        post: operations["createTrustedIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/mobile/trusted-issuers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveTrustedIssuer"];
        put?: never;
        post?: never;
        delete: operations["deleteTrustedIssuer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyCompactCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/compact-semantic/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyCompactSemanticCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyWebSemanticCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/presentations/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrievePresentationTemplates"];
        put?: never;
        post: operations["createPresentationTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/presentations/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrievePresentationTemplate"];
        put: operations["updatePresentationTemplate"];
        post?: never;
        delete: operations["deletePresentationTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/presentations/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createPresentationRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/web-semantic/presentations/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyPresentation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/inboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveInboxes"];
        put?: never;
        post: operations["createInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/inboxes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveInbox"];
        put: operations["updateInbox"];
        post?: never;
        delete: operations["deleteInbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/inboxes/{id}/dids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveInboxDids"];
        put?: never;
        post: operations["registerInboxDid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/inboxes/{id}/dids/{did}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["unregisterInboxDid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/inboxes/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveInboxMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/inboxes/{id}/messages/{messageid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveInboxMessage"];
        put?: never;
        post?: never;
        delete: operations["deleteInboxMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/encrypt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["encryptMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/decrypt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decryptMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messaging/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/certificates/ca": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveEcosystemCas"];
        put?: never;
        post: operations["createEcosystemCa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/certificates/ca/{dtsCaCertificateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveEcosystemCa"];
        put: operations["updateEcosystemCa"];
        post?: never;
        delete: operations["deleteEcosystemCa"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/certificates/ca/{dtsCaCertificateId}/crl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveEcosystemCaCrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/public/certificates/ca": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrievePublishedEcosystemCas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/certificates/vical-signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVicalSigners"];
        put?: never;
        post: operations["createVicalSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/certificates/vical-signers/{vicalSignerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVicalSigner"];
        put: operations["updateVicalSigner"];
        post?: never;
        delete: operations["deleteVicalSigner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/certificates/rical-signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRicalSigners"];
        put?: never;
        post: operations["createRicalSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/certificates/rical-signers/{ricalSignerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRicalSigner"];
        put: operations["updateRicalSigner"];
        post?: never;
        delete: operations["deleteRicalSigner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveEcosystems"];
        put?: never;
        post: operations["createEcosystem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveEcosystem"];
        put: operations["updateEcosystem"];
        post?: never;
        delete: operations["deleteEcosystem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCredentialTypes"];
        put?: never;
        post: operations["createCredentialType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/credentials/{credentialId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCredentialType"];
        put?: never;
        post?: never;
        delete: operations["deleteCredentialType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipants"];
        put?: never;
        post: operations["createParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipant"];
        put: operations["updateParticipant"];
        post?: never;
        delete: operations["deleteParticipant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/issuer/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIssuerCredentialTypes"];
        put?: never;
        post: operations["assignIssuerCredentialType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/issuer/credentials/{credentialId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["unassignIssuerCredentialType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/verifier/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVerifierCredentialTypes"];
        put?: never;
        post: operations["assignVerifierCredentialType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/verifier/credentials/{credentialId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["unassignVerifierCredentialType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/issuer-certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipantIssuerCertificates"];
        put?: never;
        post: operations["createParticipantIssuerCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/issuer-certificates/{certificateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipantIssuerCertificate"];
        put: operations["updateParticipantIssuerCertificate"];
        post?: never;
        delete: operations["deleteParticipantIssuerCertificate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/verifier-certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipantVerifierCertificates"];
        put?: never;
        post: operations["createParticipantVerifierCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/verifier-certificates/{certificateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipantVerifierCertificate"];
        put: operations["updateParticipantVerifierCertificate"];
        post?: never;
        delete: operations["deleteParticipantVerifierCertificate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/issuer-validation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/verifier-validation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateVerifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipantEvidenceList"];
        put?: never;
        post: operations["createParticipantEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/evidence/{evidenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveParticipantEvidence"];
        put: operations["updateParticipantEvidence"];
        post?: never;
        delete: operations["deleteParticipantEvidence"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/participants/{participantId}/evidence/{evidenceId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadParticipantEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/issuer-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["publishIssuerPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/issuer-policies/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewIssuerPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/issuer-policies/{policyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteIssuerPolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/issuer-policies/public/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLatestIssuerPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/issuer-policies/public/{policyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIssuerPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/verifier-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["publishVerifierPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/verifier-policies/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewVerifierPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/verifier-policies/{policyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteVerifierPolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/verifier-policies/public/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLatestVerifierPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/verifier-policies/public/{policyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVerifierPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["publishEcosystemPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewEcosystemPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/policies/public/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLatestEcosystemPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVicalConfiguration"];
        put: operations["configureVical"];
        post?: never;
        delete: operations["deleteVicalConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["publishVical"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals/{vicalIssueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteVical"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVicals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals/public/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLatestVical"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals/public/{vicalIssueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVical"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals/public/{vicalIssueId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVicalChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/vicals/public/{vicalIssueId}/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveVicalCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRicalConfiguration"];
        put: operations["configureRical"];
        post?: never;
        delete: operations["deleteRicalConfiguration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["publishRical"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals/{ricalIssueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteRical"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRicals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals/public/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLatestRical"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals/public/{ricalIssueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRical"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals/public/{ricalIssueId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRicalChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/ricals/public/{ricalIssueId}/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveRicalCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["syncEcosystems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ecosystems/{ecosystemId}/integrations/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIntegratedCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holder/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveHolderApplications"];
        put?: never;
        post: operations["createHolderApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holder/applications/{applicationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveHolderApplication"];
        put: operations["updateHolderApplication"];
        post?: never;
        delete: operations["deleteHolderApplication"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holder/applications/{applicationId}/challenges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createHolderApplicationChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holder/applications/{applicationId}/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveHolderApplicationInstances"];
        put?: never;
        post: operations["registerHolderApplicationInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holder/applications/{applicationId}/instances/{instanceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveHolderApplicationInstance"];
        put?: never;
        post?: never;
        delete: operations["deleteHolderApplicationInstance"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveEndingCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/status-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLateStatusLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveTroubledWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveLateJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveTroubledPublications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveFailingIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/issuances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveIssuedDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/credentials/configurations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveConfigurations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["retrieveReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    OpenIdCredentialIssued: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveOpenIdCredentialIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    OpenIdCredentialIssuedSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveOpenIdCredentialIssuedSummary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Error: {
            code: string;
            message: string;
            details?: {
                value?: unknown;
                msg: string;
                param: string;
                /** @enum {string} */
                location: "body" | "params" | "query" | "headers";
            }[];
        };
        OAuthError: {
            error: string;
            error_description?: string;
        };
        ManagementToken: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            expires_in: number;
        };
        /** @enum {string} */
        Role: "admin" | "issuer" | "managed-issuer" | "verifier" | "dts-provider" | "dts-consumer" | "auditor" | "holder" | "platform";
        ConsoleSession: {
            /** Format: uuid */
            clientId?: string;
            name: string;
            roles: components["schemas"]["Role"][];
            permissions: string[];
            managementUserId?: string;
            /** Format: uuid */
            tenantId: string;
            tenantName: string;
            /** Format: date-time */
            since?: string;
            /** Format: date-time */
            until?: string;
            /** Format: date-time */
            idleUntil?: string;
        };
        /** @enum {string} */
        TokenEndpointAuthMethod: "client_secret_basic" | "client_secret_post";
        /** @enum {string} */
        TenantRole: "admin" | "issuer" | "managed-issuer" | "verifier" | "dts-provider" | "dts-consumer" | "auditor" | "holder";
        SignInProvider: {
            /** Format: uuid */
            id: string;
            name: string;
            issuer: string;
            redirectUrl: string;
            clientId: string;
            clientSecret: string;
            tokenEndpointAuthMethod: components["schemas"]["TokenEndpointAuthMethod"];
            scope: string[];
            claim: string;
            userClaim: string;
            roles: {
                value: string;
                roles: components["schemas"]["TenantRole"][];
            }[];
        };
        /** @enum {string} */
        CheckResult: "passed" | "failed" | "unknown";
        TestSignInProviderResponse: {
            works: boolean;
            redirectUrl: string;
            checks: {
                /** @enum {string} */
                check: "discovery" | "keys" | "flow" | "client" | "scope" | "claim";
                result: components["schemas"]["CheckResult"];
                message: string;
            }[];
        };
        WaysIn: {
            isPlatform: boolean;
            tenantName: string;
            provider?: {
                name: string;
            };
        };
        ProviderSignIn: {
            url: string;
        };
        /** @enum {string} */
        StatusListFormat: "draft14" | "legacy";
        /** @enum {string} */
        SecurityProfile: "standard" | "haip" | "lenient";
        TenantEncryption: {
            requestRequired: boolean;
            responseRequired: boolean;
        };
        /** @enum {string} */
        DeferredIssuance: "never" | "whenSlow";
        LocalizedName: {
            name: string;
            locale: string;
        };
        TenantBranding: {
            /** Format: uri */
            logoUrl?: string;
            backgroundColor?: string;
            accentColor?: string;
            names?: components["schemas"]["LocalizedName"][];
        };
        KeyPeriod: {
            days: number;
        };
        KeyRotation: {
            credentials?: components["schemas"]["KeyPeriod"];
            webhooks?: components["schemas"]["KeyPeriod"];
            tokens?: components["schemas"]["KeyPeriod"];
            encryption?: components["schemas"]["KeyPeriod"];
        };
        TenantLimits: {
            anonymousPerMinute?: number;
            failedSecretsPerMinute?: number;
            managementWritesPerMinute?: number;
            issuancesPerMinute?: number;
            registrationsPerDay?: number;
            webhooks?: number;
            clients?: number;
            configurations?: number;
            trustedIssuers?: number;
            walletProviders?: number;
            contexts?: number;
            dids?: number;
            holderApplications?: number;
            inboxes?: number;
            inboxDids?: number;
            inboxMessages?: number;
            inboxBytes?: number;
            outgoingMessages?: number;
            inboxDays?: number;
            holderInstances?: number;
            ecosystems?: number;
            ecosystemCredentialTypes?: number;
            participants?: number;
            participantCertificates?: number;
            integratedCertificates?: number;
            participantEvidence?: number;
            evidenceBytes?: number;
        };
        CreatedClient: {
            /** Format: uuid */
            clientId: string;
            name: string;
            roles: components["schemas"]["Role"][];
            permissions: string[];
            clientSecret: string;
        };
        CreatedTenant: {
            /** Format: uuid */
            id: string;
            name: string;
            subdomain: string;
            aliases: string[];
            baseUrl: string;
            did: string;
            statusListFormat: components["schemas"]["StatusListFormat"];
            profile: components["schemas"]["SecurityProfile"];
            encryption: components["schemas"]["TenantEncryption"];
            deferredIssuance: components["schemas"]["DeferredIssuance"];
            maxCredentialsPerSession: number;
            publicClients: boolean;
            keyAttestationRoots: string[];
            branding: components["schemas"]["TenantBranding"];
            keyRotation: components["schemas"]["KeyRotation"];
            limits: components["schemas"]["TenantLimits"];
            client: components["schemas"]["CreatedClient"];
        };
        Tenant: {
            /** Format: uuid */
            id: string;
            name: string;
            subdomain: string;
            aliases: string[];
            baseUrl: string;
            did: string;
            statusListFormat: components["schemas"]["StatusListFormat"];
            profile: components["schemas"]["SecurityProfile"];
            encryption: components["schemas"]["TenantEncryption"];
            deferredIssuance: components["schemas"]["DeferredIssuance"];
            maxCredentialsPerSession: number;
            publicClients: boolean;
            keyAttestationRoots: string[];
            branding: components["schemas"]["TenantBranding"];
            keyRotation: components["schemas"]["KeyRotation"];
            limits: components["schemas"]["TenantLimits"];
        };
        TenantPage: {
            data: components["schemas"]["Tenant"][];
            nextCursor?: string;
        };
        Client: {
            /** Format: uuid */
            clientId: string;
            name: string;
            roles: components["schemas"]["Role"][];
            permissions: string[];
        };
        ClientPage: {
            data: components["schemas"]["Client"][];
            nextCursor?: string;
        };
        ClientSecret: {
            /** Format: uuid */
            clientId: string;
            clientSecret: string;
        };
        /** @enum {string} */
        KeyPurpose: "credentials" | "webhooks" | "tokens" | "encryption";
        Key: {
            id: string;
            purpose: components["schemas"]["KeyPurpose"];
            algorithm: string;
            /** Format: date-time */
            createdAt: string;
            retiredAt: string | null;
            publishedUntil: string | null;
        };
        Keys: {
            data: components["schemas"]["Key"][];
        };
        RotatedKey: {
            id: string;
        };
        DidDocument: {
            id: string;
        } & {
            [key: string]: unknown;
        };
        Did: {
            did: string;
            /** @constant */
            registrationStatus: "COMPLETED";
            localMetadata: {
                keys: {
                    didDocumentKeyId: string;
                    kmsKeyId: string;
                }[];
                registered: number;
                initialDidDocument: components["schemas"]["DidDocument"];
            };
        };
        DidPage: {
            data: components["schemas"]["Did"][];
            nextCursor?: string;
        };
        AuthenticationProvider: {
            /** Format: uuid */
            id: string;
            url: string;
            redirectUrl: string;
            scope: string[];
            clientId: string;
            clientSecret: string;
            tokenEndpointAuthMethod: components["schemas"]["TokenEndpointAuthMethod"];
            staticRequestParameters: {
                [key: string]: unknown;
            };
            forwardedRequestParameters: string[];
            claimsToPersist: string[];
            warnings?: string[];
        };
        AuthenticationProviderPage: {
            data: components["schemas"]["AuthenticationProvider"][];
            nextCursor?: string;
        };
        OpenIdConfiguration: {
            interactionHook?: {
                url: string;
                claims: string[];
                sessionTimeoutInSec: number;
                disabled: boolean;
                secret: string;
            };
        };
        TestOpenIdConfigurationResponse: {
            works: boolean;
            message: string;
        };
        RequestParameter: {
            mapFrom?: string;
            defaultValue?: string;
        };
        /** @enum {string} */
        RequestMethod: "GET" | "POST";
        ApiKeyAuthorization: {
            /** @constant */
            type: "api-key";
            /** Format: password */
            value: string;
        };
        ClientCredentials: {
            tokenUrl: string;
            clientId: string;
            /** Format: password */
            clientSecret: string;
            scope?: string;
        };
        ClientCredentialsAuthorization: {
            /** @constant */
            type: "oauth-client-credentials";
            value: components["schemas"]["ClientCredentials"];
        };
        ClaimSource: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            requestParameters: {
                [key: string]: components["schemas"]["RequestParameter"];
            };
            requestMethod: components["schemas"]["RequestMethod"];
            authorization: components["schemas"]["ApiKeyAuthorization"] | components["schemas"]["ClientCredentialsAuthorization"];
        };
        ClaimSourcePage: {
            data: components["schemas"]["ClaimSource"][];
            nextCursor?: string;
        };
        TestClaimSourceResponse: {
            works: boolean;
            message: string;
            claims?: {
                [key: string]: unknown;
            };
        };
        CertificateData: {
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            notAfter: string;
            country: string;
            stateOrProvinceName?: string;
            organisationName?: string;
            commonName: string;
        };
        Iaca: {
            /** Format: uuid */
            id: string;
            active: boolean;
            isManaged: boolean;
            certificatePem: string;
            certificateFingerprint: string;
            certificateData: components["schemas"]["CertificateData"];
        };
        IacaPage: {
            data: components["schemas"]["Iaca"][];
            nextCursor?: string;
        };
        DocumentSigner: {
            certificatePem?: string;
            certificateFingerprint?: string;
            certificateData?: components["schemas"]["CertificateData"];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            iacaId: string;
            active: boolean;
            csrPem?: string;
            /** Format: date-time */
            revocationDate?: string;
        };
        DocumentSignerPage: {
            data: components["schemas"]["DocumentSigner"][];
            nextCursor?: string;
        };
        RevokedSigner: {
            /** @constant */
            revoked: true;
            /** Format: date-time */
            revocationDate: string;
        };
        StatusListSigner: {
            certificatePem?: string;
            certificateFingerprint?: string;
            certificateData?: components["schemas"]["CertificateData"];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            iacaId: string;
            active: boolean;
            csrPem?: string;
            /** Format: date-time */
            revocationDate?: string;
        };
        StatusListSignerPage: {
            data: components["schemas"]["StatusListSigner"][];
            nextCursor?: string;
        };
        ClaimName: {
            name: string;
            locale?: string;
        };
        ClaimMapping: {
            mapFrom?: string;
            defaultValue?: string;
            required?: boolean;
            display?: components["schemas"]["ClaimName"][];
        };
        CalendarDuration: {
            years?: number;
            months?: number;
            weeks?: number;
            days?: number;
            hours?: number;
            minutes?: number;
            seconds?: number;
        };
        KeyAttestationsRequired: {
            keyStorage?: string[];
            userAuthentication?: string[];
        };
        CredentialDisplay: {
            name: string;
            locale?: string;
            description?: string;
            /** Format: uri */
            logoUrl?: string;
            backgroundColor?: string;
            textColor?: string;
        };
        CompactConfiguration: {
            type: string;
            claimMappings: {
                [key: string]: components["schemas"]["ClaimMapping"];
            };
            revocable: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
            /** Format: uuid */
            id: string;
        };
        CompactConfigurationPage: {
            data: components["schemas"]["CompactConfiguration"][];
            nextCursor?: string;
        };
        SignedClaims: {
            iss: string;
            jti: string;
            status?: {
                index: number;
                /** Format: uri */
                url: string;
            };
        } & {
            [key: string]: unknown;
        };
        SignedCompact: {
            /** Format: uuid */
            id: string;
            encoded: string;
            decoded: components["schemas"]["SignedClaims"];
        };
        CompactRevocationStatus: {
            /** Format: uuid */
            id: string;
            isRevoked: boolean;
        };
        RevocationStatus: {
            isRevoked: boolean;
        };
        RevocationList: {
            /** Format: uuid */
            id: string;
            issuer: string;
            /** Format: uri */
            url: string;
        };
        RevocationListPages: {
            data: components["schemas"]["RevocationList"][];
            nextCursor?: string;
        }[];
        CompactSemanticConfiguration: {
            type: string;
            claimMappings: {
                [key: string]: components["schemas"]["ClaimMapping"];
            };
            revocable: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
            /** Format: uuid */
            id: string;
        };
        CompactSemanticConfigurationPage: {
            data: components["schemas"]["CompactSemanticConfiguration"][];
            nextCursor?: string;
        };
        SignedCompactSemantic: {
            /** Format: uuid */
            id: string;
            encoded: string;
            decoded: components["schemas"]["SignedClaims"];
        };
        CompactSemanticRevocationStatus: {
            /** Format: uuid */
            id: string;
            isRevoked: boolean;
        };
        WebSemanticIssuer: {
            name: string;
            /** Format: uri */
            logoUrl?: string;
            /** Format: uri */
            iconUrl?: string;
        };
        CredentialBranding: {
            backgroundColor?: string;
            /** Format: uri */
            watermarkImageUrl?: string;
        };
        WebSemanticConfiguration: {
            name: string;
            type: string;
            issuer: components["schemas"]["WebSemanticIssuer"];
            description?: string;
            additionalTypes?: string[];
            contexts?: string[];
            /** @constant */
            proofType: "Ed25519Signature2018";
            credentialBranding?: components["schemas"]["CredentialBranding"];
            claimMappings: {
                [key: string]: components["schemas"]["ClaimMapping"];
            };
            persist: boolean;
            revocable: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
            /** Format: uuid */
            id: string;
        };
        WebSemanticConfigurationPage: {
            data: components["schemas"]["WebSemanticConfiguration"][];
            nextCursor?: string;
        };
        ListedContext: {
            /** Format: uuid */
            id: string;
            url: string;
        };
        ListedContextPage: {
            data: components["schemas"]["ListedContext"][];
            nextCursor?: string;
        };
        Context: {
            /** Format: uuid */
            id: string;
            url: string;
            document: {
                [key: string]: unknown;
            };
        };
        RevocationListPlace: {
            id: string;
            /** @constant */
            type: "RevocationList2020Status";
            revocationListIndex: string;
            /** Format: uri */
            revocationListCredential: string;
        };
        WebSemanticCredential: {
            /** Format: uuid */
            id: string;
            credential: {
                type: string[];
            } & {
                [key: string]: unknown;
            };
            tag?: string;
            /** Format: date-time */
            issuanceDate: string;
            credentialStatus?: components["schemas"]["RevocationListPlace"];
        };
        WebSemanticCredentialPage: {
            data: components["schemas"]["WebSemanticCredential"][];
            nextCursor?: string;
        };
        WebSemanticRevocationMessage: {
            /** Format: uuid */
            id: string;
            /** @constant */
            type: "https://mattr.global/schemas/verifiable-credential/status/RevocationStatus";
            to: string[];
            from: string;
            created_time: number;
            body: {
                /** Format: uri */
                revocationListCredential: string;
                revocationListIndex: string;
                isRevoked: boolean;
            };
        };
        WebSemanticRevocationList: {
            "@context": string[];
            /** Format: uri */
            id: string;
            type: string[];
            issuer: string;
            /** Format: date-time */
            issuanceDate: string;
            credentialSubject: {
                id: string;
                /** @constant */
                type: "RevocationList2020";
                encodedList: string;
            };
            proof: {
                /** @constant */
                type: "Ed25519Signature2018";
                /** Format: date-time */
                created: string;
                proofPurpose: string;
                verificationMethod: string;
                jws: string;
            };
        };
        /** @enum {string} */
        ElementType: "tstr" | "bstr" | "int" | "uint" | "bool" | "full-date" | "tdate" | "date";
        ElementMembers: {
            members: {
                [key: string]: components["schemas"]["ElementType"];
            };
        };
        ElementList: {
            arrayOf: components["schemas"]["ElementType"] | components["schemas"]["ElementMembers"];
        };
        ElementMapping: {
            mapFrom?: string;
            defaultValue?: string;
            required?: boolean;
            display?: components["schemas"]["ClaimName"][];
            type?: components["schemas"]["ElementType"] | components["schemas"]["ElementMembers"] | components["schemas"]["ElementList"];
        };
        MappedTime: {
            mapFrom: string;
        };
        MobileBranding: {
            name?: string;
            description?: string;
            backgroundColor?: string;
            /** Format: uri */
            watermarkImage?: string;
            /** Format: uri */
            issuerLogo?: string;
            /** Format: uri */
            issuerIcon?: string;
        };
        MobileConfiguration: {
            type: string;
            claimMappings: {
                [key: string]: {
                    [key: string]: components["schemas"]["ElementMapping"];
                };
            };
            validFrom?: components["schemas"]["MappedTime"];
            validUntil?: components["schemas"]["MappedTime"];
            branding?: components["schemas"]["MobileBranding"];
            includeStatus: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
            /** Format: uuid */
            id: string;
        };
        MobileConfigurationPage: {
            data: components["schemas"]["MobileConfiguration"][];
            nextCursor?: string;
        };
        Days: {
            days: number;
        };
        StatusListConfiguration: {
            /** Format: uuid */
            id: string;
            docType: string;
            timeToLiveDuration: components["schemas"]["Days"];
            expiryDuration: components["schemas"]["Days"];
        };
        StatusListConfigurationPage: {
            data: components["schemas"]["StatusListConfiguration"][];
            nextCursor?: string;
        };
        ShownStatusListConfiguration: {
            /** Format: uuid */
            id: string;
            docType?: string;
            timeToLiveDuration: components["schemas"]["Days"];
            expiryDuration: components["schemas"]["Days"];
        };
        /** @enum {string} */
        CredentialStatus: "valid" | "invalid" | "suspended";
        MobileStatus: {
            status: components["schemas"]["CredentialStatus"];
        };
        MobileStatusLists: {
            status_lists: (string | {
                /** Format: uri */
                uri: string;
            })[];
        };
        MobileStatusList: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            iacaId?: string;
            /** Format: uuid */
            statusListConfigurationId: string;
            listSize: number;
            list: string;
        };
        MobileStatusListPage: {
            data: components["schemas"]["MobileStatusList"][];
            nextCursor?: string;
        };
        SignedInAt: {
            providerId: string;
            url?: string;
            subjectId: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            claims: {
                [key: string]: unknown;
            };
            authenticationProvider?: components["schemas"]["SignedInAt"];
        };
        UserPage: {
            data: components["schemas"]["User"][];
            nextCursor?: string;
        };
        SearchUsersItem: {
            /** Format: uuid */
            id: string;
            claims?: {
                [key: string]: unknown;
            };
            authenticationProvider?: components["schemas"]["SignedInAt"];
        };
        SearchUsersItemPage: {
            data: components["schemas"]["SearchUsersItem"][];
            nextCursor?: string;
        };
        /** @enum {string} */
        CredentialProfile: "compact" | "compact-semantic" | "web-semantic" | "mobile";
        ElementDigest: {
            digestID: number;
            digest: string;
        };
        UserCredential: {
            /** Format: uuid */
            id: string;
            type: string;
            profile: components["schemas"]["CredentialProfile"];
            /** Format: uuid */
            offerId?: string;
            /** Format: uuid */
            sessionId: string;
            /** Format: uuid */
            credentialConfigurationId: string;
            devicePublicKey: {
                [key: string]: unknown;
            };
            namespaces?: {
                [key: string]: {
                    [key: string]: components["schemas"]["ElementDigest"];
                };
            };
            msoHash?: string;
            /** Format: date-time */
            issuedDate: string;
            /** Format: date-time */
            validFrom: string;
            /** Format: date-time */
            validUntil?: string;
            status: components["schemas"]["CredentialStatus"];
        };
        UserCredentialPage: {
            data: components["schemas"]["UserCredential"][];
            nextCursor?: string;
        };
        IssuedCredential: {
            /** Format: uuid */
            id: string;
            type: string;
            profile: components["schemas"]["CredentialProfile"];
            /** Format: uuid */
            offerId?: string;
            /** Format: uuid */
            sessionId: string;
            /** Format: uuid */
            credentialConfigurationId: string;
            devicePublicKey: {
                [key: string]: unknown;
            };
            namespaces?: {
                [key: string]: {
                    [key: string]: components["schemas"]["ElementDigest"];
                };
            };
            msoHash?: string;
            /** Format: date-time */
            issuedDate: string;
            /** Format: date-time */
            validFrom: string;
            /** Format: date-time */
            validUntil?: string;
            status: components["schemas"]["CredentialStatus"];
            /** Format: uuid */
            userId: string;
        };
        IssuedCredentialPage: {
            data: components["schemas"]["IssuedCredential"][];
            nextCursor?: string;
        };
        WalletAttestation: {
            required: boolean;
            dpopRequired: boolean;
            rootCertificates: string[];
        };
        OAuthClient: {
            /** Format: uuid */
            id: string;
            clientId: string;
            name: string;
            redirectUris: string[];
            attestation: components["schemas"]["WalletAttestation"];
            dpopRequired: boolean;
        };
        OAuthClientPage: {
            data: components["schemas"]["OAuthClient"][];
            nextCursor?: string;
        };
        TrustAnchorData: {
            /** Format: date-time */
            notAfter: string;
            /** Format: date-time */
            notBefore: string;
            country?: string;
            commonName?: string;
        };
        WalletProvider: {
            /** Format: uuid */
            id: string;
            certificatePem: string;
            certificateData: components["schemas"]["TrustAnchorData"];
        };
        WalletProviderPage: {
            data: components["schemas"]["WalletProvider"][];
            nextCursor?: string;
        };
        /** @enum {string} */
        AttestationCheck: "roots" | "form" | "chain" | "signature" | "times" | "client" | "key" | "possession";
        ClientAttestation: {
            works: boolean;
            checks: {
                check: components["schemas"]["AttestationCheck"];
                result: components["schemas"]["CheckResult"];
                message: string;
            }[];
        };
        SharedOffer: {
            uri: string;
            page: string;
        };
        /** @enum {string} */
        OfferKind: "authorization-code" | "pre-authorized";
        /** @enum {string} */
        OfferState: "usable" | "spent" | "claimed" | "ended" | "expired";
        Offer: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["OfferKind"];
            state: components["schemas"]["OfferState"];
            credentials: string[];
            /** Format: uuid */
            userId?: string;
            /** Format: date-time */
            createdAt: string;
            expiresAt?: number;
            page: string;
        };
        OfferPage: {
            data: components["schemas"]["Offer"][];
            nextCursor?: string;
        };
        PreAuthorizedOffer: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            userId: string;
            uri: string;
            page: string;
            expiresAt: number;
            transactionCode?: string;
        };
        CredentialOffer: {
            credential_issuer: string;
            credential_configuration_ids: string[];
            credentials: string[];
            grants: {
                authorization_code?: {
                    issuer_state: string;
                };
                "urn:ietf:params:oauth:grant-type:pre-authorized_code"?: {
                    "pre-authorized_code": string;
                    tx_code?: {
                        /** @constant */
                        input_mode: "numeric";
                        length: number;
                        description?: string;
                    };
                };
            };
        };
        RetrieveOfferResponse: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["OfferKind"];
            state: components["schemas"]["OfferState"];
            credentials: string[];
            /** Format: uuid */
            userId?: string;
            /** Format: date-time */
            createdAt: string;
            expiresAt?: number;
            page: string;
            uri?: string;
            qr?: string;
            transactionCode?: {
                description?: string;
            };
        };
        /** @enum {string} */
        Outcome: "success" | "failure";
        /** @enum {string} */
        OfferCheck: "pushed_request" | "client" | "parameters" | "code_challenge" | "dpop_jkt" | "requested_credentials" | "provider_reached" | "sign_in_state" | "sign_in_consent" | "provider_error" | "provider_settings" | "provider_code" | "id_token" | "session_token_form" | "session_token_signature" | "session_token_parties" | "session_token_times" | "session_token_content" | "dpop_proof" | "client_attestation" | "code_expiry" | "code_client" | "code_unused" | "redirect_uri" | "code_verifier" | "dpop_key" | "transaction_code_sent" | "transaction_code" | "authorization_details" | "refresh_token" | "access_token" | "access_token_key" | "request_form" | "encryption" | "configuration" | "proof_form" | "key_attestation" | "proof_key" | "proof_signature" | "proof_audience" | "proof_times" | "proof_issuer" | "nonce" | "claims" | "batch_size" | "collected_once" | "signed_in_time" | "transaction_id" | "notification_id" | "taken_by_wallet" | "source_there" | "source_token" | "source_reached" | "source_status" | "source_content" | "webhook_reached" | "webhook_status" | "service" | "request";
        OfferTimeline: {
            data: {
                /** Format: date-time */
                at: string;
                step: string;
                outcome: components["schemas"]["Outcome"];
                reason?: string;
                passed?: components["schemas"]["OfferCheck"][];
                refusedBy?: {
                    check: components["schemas"]["OfferCheck"];
                    clause: string;
                };
                /** Format: uuid */
                requestId?: string;
                /** Format: uuid */
                userId?: string;
                /** Format: uuid */
                sessionId?: string;
                /** Format: uuid */
                webhookId?: string;
                webhookHost?: string;
            }[];
        };
        OfferPageState: {
            /** @enum {string} */
            state: "offered" | "opened" | "collected" | "expired" | "usedUp";
        };
        LogoAddress: {
            address: string;
        };
        DomainLinkageCredential: {
            "@context": string[];
            type: string[];
            issuer: string;
            issuanceDate: string;
            expirationDate: string;
            credentialSubject: {
                id: string;
                origin: string;
            };
            proof: {
                type: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        DidConfiguration: {
            entries: components["schemas"]["DomainLinkageCredential"][];
        };
        LinkedDids: {
            "@context": string;
            linked_dids: components["schemas"]["DomainLinkageCredential"][];
        };
        PublishedIacas: {
            iacas: {
                certificate: string;
            }[];
        };
        JwkSet: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        KeyAttestationsMetadata: {
            key_storage?: string[];
            user_authentication?: string[];
        };
        ProofTypeMetadata: {
            proof_signing_alg_values_supported: string[];
            key_attestations_required?: components["schemas"]["KeyAttestationsMetadata"];
        };
        Label: {
            name: string;
            locale?: string;
        };
        IssuerMetadata: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            jwks_uri: string;
            scopes_supported?: string[];
            grant_types_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            code_challenge_methods_supported: string[];
            credential_issuer: string;
            credential_endpoint: string;
            nonce_endpoint?: string;
            deferred_credential_endpoint?: string;
            notification_endpoint: string;
            mdoc_iacas_uri: string;
            credential_request_encryption?: {
                jwks: components["schemas"]["JwkSet"];
                enc_values_supported: string[];
                zip_values_supported: string[];
                encryption_required: boolean;
            };
            credential_response_encryption?: {
                alg_values_supported: string[];
                enc_values_supported: string[];
                zip_values_supported: string[];
                encryption_required: boolean;
            };
            batch_credential_issuance: {
                batch_size: number;
            };
            display: {
                [key: string]: unknown;
            }[];
            credentials_supported?: {
                [key: string]: unknown;
            }[];
            credential_configurations_supported: {
                [key: string]: {
                    format: string;
                    id: string;
                    scope: string;
                    credential_definition?: {
                        type: string[];
                        "@context"?: string[];
                    };
                    doctype?: string;
                    credential_signing_alg_values_supported: (string | number)[];
                    cryptographic_binding_methods_supported: string[];
                    proof_types_supported: {
                        jwt: components["schemas"]["ProofTypeMetadata"];
                        attestation?: components["schemas"]["ProofTypeMetadata"];
                    };
                    credential_metadata: {
                        display: {
                            [key: string]: unknown;
                        }[];
                        claims?: {
                            path: string[];
                            mandatory: boolean;
                            display: components["schemas"]["Label"][];
                        }[];
                    };
                };
            };
        };
        AuthorizationServerMetadata: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            jwks_uri: string;
            scopes_supported?: string[];
            grant_types_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            code_challenge_methods_supported: string[];
            pushed_authorization_request_endpoint: string;
            require_pushed_authorization_requests: boolean;
            authorization_response_iss_parameter_supported: boolean;
            authorization_details_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            client_attestation_signing_alg_values_supported: string[];
            client_attestation_pop_signing_alg_values_supported: string[];
            dpop_signing_alg_values_supported: string[];
            status_list_aggregation_endpoint?: string;
            "pre-authorized_grant_anonymous_access_supported": boolean;
        };
        PushedAuthorizationRequest: {
            request_uri: string;
            expires_in: number;
        };
        AccessToken: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer" | "DPoP";
            expires_in: number;
            scope: string;
            refresh_token?: string;
            c_nonce?: string;
            c_nonce_expires_in?: number;
            authorization_details?: {
                /** @constant */
                type: "openid_credential";
                credential_configuration_id: string;
                credential_identifiers: string[];
            }[];
        };
        Nonce: {
            c_nonce: string;
        };
        IssuedCredentials: {
            credentials: {
                credential: string | {
                    [key: string]: unknown;
                };
            }[];
            notification_id?: string;
            credential?: string | {
                [key: string]: unknown;
            };
            c_nonce?: string;
            c_nonce_expires_in?: number;
        };
        DeferredCredential: {
            transaction_id: string;
            interval: number;
        };
        AcceptedStatusChange: {
            /** Format: uuid */
            id: string;
            accepted: number;
        };
        FailedChange: {
            id: string;
            reason: string;
        };
        StatusChange: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "pending" | "running" | "done";
            total: number;
            done: number;
            failed: components["schemas"]["FailedChange"][];
        };
        PublishedStatusList: {
            version: number;
            /** Format: date-time */
            issuedAt: string;
            /** Format: date-time */
            expiresAt?: string;
            /** Format: date-time */
            renewAt?: string;
            ttlSeconds?: number;
        };
        StatusList: {
            /** Format: uuid */
            id: string;
            profile: components["schemas"]["CredentialProfile"];
            /** Format: uri */
            url: string;
            size: number;
            taken: number;
            /** Format: date-time */
            createdAt: string;
            issuer?: string;
            /** Format: uuid */
            iacaId?: string;
            /** Format: uuid */
            statusListConfigurationId?: string;
            /** @enum {string} */
            format?: "draft14" | "legacy";
            published?: components["schemas"]["PublishedStatusList"];
            /** Format: date-time */
            changedAt?: string;
        };
        StatusListPage: {
            data: components["schemas"]["StatusList"][];
            nextCursor?: string;
        };
        RotatedWebhookKey: {
            kid: string;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            events: string[];
            url: string;
            disabled: boolean;
        };
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            nextCursor?: string;
        };
        WebhookJwk: {
            kty: string;
            crv: string;
            x: string;
            /** @constant */
            use: "sig";
            kid: string;
        };
        WebhookKeys: {
            keys: components["schemas"]["WebhookJwk"][];
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed";
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            eventId: string;
            type: string;
            status: components["schemas"]["DeliveryStatus"];
            /** Format: date-time */
            eventAt: string;
            /** Format: date-time */
            createdAt: string;
            attempts: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                at: string;
                status?: number;
                durationMs: number;
                error?: string;
                answer?: string;
            }[];
            /** Format: date-time */
            nextAttemptAt?: string;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            nextCursor?: string;
        };
        WebhookDeliveries: {
            replayed: number;
            nextCursor?: string;
        };
        TrustedIssuer: {
            /** Format: uuid */
            id: string;
            certificatePem: string;
            certificateData: components["schemas"]["TrustAnchorData"];
        };
        TrustedIssuerPage: {
            data: components["schemas"]["TrustedIssuer"][];
            nextCursor?: string;
        };
        CompactVerification: {
            verified: boolean;
            decoded?: {
                iss: string;
                nbf?: number;
                exp?: number;
                iat?: number;
                jti?: string;
                type?: unknown;
            } & {
                [key: string]: unknown;
            };
            error?: {
                type: string;
                message: string;
                details: {
                    [key: string]: string;
                };
            };
        };
        CompactSemanticVerification: {
            verified: boolean;
            reason: {
                type: string;
                msg: string;
            }[];
            decoded?: {
                iss: string;
                nbf?: number;
                exp?: number;
                iat?: number;
                jti?: string;
                vc?: unknown;
            } & {
                [key: string]: unknown;
            };
        };
        VerificationFailure: {
            type: string;
            message: string;
        };
        WebSemanticVerification: {
            verified: boolean;
            reason?: components["schemas"]["VerificationFailure"];
        };
        PresentationQuery: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        PresentationTemplate: {
            /** Format: uuid */
            id: string;
            domain: string;
            name: string;
            query: components["schemas"]["PresentationQuery"][];
        };
        PresentationTemplatePage: {
            data: components["schemas"]["PresentationTemplate"][];
            nextCursor?: string;
        };
        PresentationRequest: {
            /** Format: uuid */
            id: string;
            callbackUrl: string;
            request: {
                /** Format: uuid */
                id: string;
                type: string;
                from: string;
                created_time: number;
                expires_time: number;
                reply_url: string;
                reply_to: string[];
                body: {
                    challenge: string;
                    /** Format: uuid */
                    id: string;
                    domain: string;
                    name: string;
                    query: components["schemas"]["PresentationQuery"][];
                };
            };
            didcommUri: string;
        };
        PresentationVerification: {
            verified: boolean;
            reason?: {
                type: string;
                message: string;
                credential?: number;
            };
        };
        Inbox: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        InboxPage: {
            data: components["schemas"]["Inbox"][];
            nextCursor?: string;
        };
        InboxDid: {
            did: string;
        };
        InboxDidsPage: {
            data: string[];
            nextCursor?: string;
        };
        InboxMessage: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            inboxId: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            payload: {
                ciphertext: string;
            } & {
                [key: string]: unknown;
            };
        };
        InboxMessagePage: {
            data: components["schemas"]["InboxMessage"][];
            nextCursor?: string;
        };
        EncryptedMessage: {
            jwe: {
                protected: string;
                recipients: {
                    header: {
                        alg: string;
                        kid: string;
                        epk: {
                            /** @constant */
                            kty: "OKP";
                            /** @constant */
                            crv: "X25519";
                            x: string;
                        };
                        skid: string;
                        apu: string;
                        apv: string;
                    };
                    encryption_key: string;
                    encrypted_key: string;
                }[];
                ciphertext: string;
                iv: string;
                tag: string;
            };
        };
        PublicKey: {
            kty: string;
            crv: string;
            x: string;
            y?: string;
        };
        DecryptedMessage: {
            payload: {
                [key: string]: unknown;
            };
            senderDidUrl: string;
            senderMatches: boolean;
            senderPublicJwk: components["schemas"]["PublicKey"];
            recipientDidUrl: string;
        };
        Message: string;
        VerifiedMessage: {
            verified: boolean;
            payload?: unknown;
            didUrl: string;
            did: string;
            signerPublicJwk?: components["schemas"]["PublicKey"];
        };
        EcosystemCa: {
            /** Format: uuid */
            id: string;
            active: boolean;
            isManaged: boolean;
            certificatePem: string;
            certificateFingerprint: string;
            certificateData: components["schemas"]["CertificateData"];
        };
        EcosystemCaPage: {
            data: components["schemas"]["EcosystemCa"][];
            nextCursor?: string;
        };
        PublishedEcosystemCas: {
            rootCertificates: {
                certificate: string;
                /** Format: date-time */
                notBefore: string;
                /** Format: date-time */
                notAfter: string;
                fingerprint: string;
                commonName: string;
            }[];
        };
        VicalSigner: {
            certificatePem?: string;
            certificateFingerprint?: string;
            certificateData?: components["schemas"]["CertificateData"];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            caId: string;
            active: boolean;
            csrPem?: string;
        };
        VicalSignerPage: {
            data: components["schemas"]["VicalSigner"][];
            nextCursor?: string;
        };
        RicalSigner: {
            certificatePem?: string;
            certificateFingerprint?: string;
            certificateData?: components["schemas"]["CertificateData"];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            caId: string;
            active: boolean;
            csrPem?: string;
        };
        RicalSignerPage: {
            data: components["schemas"]["RicalSigner"][];
            nextCursor?: string;
        };
        /** @enum {string} */
        IntegrationFormat: "VICAL" | "RICAL";
        IntegrationResult: {
            success: boolean;
            /** Format: date-time */
            lastSyncedAt: string;
            /** Format: date-time */
            lastModifiedAt?: string;
            pinnedRootFingerprint?: string;
            failReasons?: {
                type: string;
                message: string;
            }[];
            certificatesCount?: number;
            changes?: {
                added: number;
                removed: number;
                changed: number;
                /** Format: date-time */
                at: string;
            };
            skippedEntries?: {
                count: number;
                first: {
                    index: number;
                    reason: string;
                }[];
            };
        };
        Integration: {
            format: components["schemas"]["IntegrationFormat"];
            url: string;
            enabled: boolean;
            trustAnchors?: string[];
            integrationResult?: components["schemas"]["IntegrationResult"];
        };
        Ecosystem: {
            /** Format: uuid */
            id: string;
            name: string;
            integrations: components["schemas"]["Integration"][];
        };
        EcosystemPage: {
            data: components["schemas"]["Ecosystem"][];
            nextCursor?: string;
        };
        CredentialType: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            ecosystemId: string;
            profile: components["schemas"]["CredentialProfile"];
            type: string;
            name: string;
        };
        CredentialTypePage: {
            data: components["schemas"]["CredentialType"][];
            nextCursor?: string;
        };
        /** @enum {string} */
        ParticipantStatus: "Active" | "Inactive";
        MobileIdentifier: {
            certificatePem: string;
            status: components["schemas"]["ParticipantStatus"];
        };
        Identifiers: {
            "web-semantic"?: string;
            "compact-semantic"?: string;
            compact?: string;
            mobile?: components["schemas"]["MobileIdentifier"][];
        };
        Participant: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            ecosystemId: string;
            name: string;
            identifiers: components["schemas"]["Identifiers"];
            isIssuer: boolean;
            isVerifier: boolean;
            isIssuerConstrained: boolean;
            isVerifierConstrained: boolean;
            status: components["schemas"]["ParticipantStatus"];
            country?: string;
            stateOrProvince?: string;
            contacts: {
                phoneNumber?: string;
                address?: string;
            }[];
        };
        ParticipantPage: {
            data: components["schemas"]["Participant"][];
            nextCursor?: string;
        };
        ParticipantCertificateData: {
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            notAfter: string;
            country?: string;
            stateOrProvinceName?: string;
            organisationName?: string;
            commonName?: string;
        };
        ParticipantIssuerCertificate: {
            /** Format: uuid */
            id: string;
            certificatePem: string;
            certificateFingerprint: string;
            certificateData: components["schemas"]["ParticipantCertificateData"];
            docTypes?: string[];
            active: boolean;
        };
        ParticipantIssuerCertificatePage: {
            data: components["schemas"]["ParticipantIssuerCertificate"][];
            nextCursor?: string;
        };
        ParticipantVerifierCertificate: {
            /** Format: uuid */
            id: string;
            certificatePem: string;
            certificateFingerprint: string;
            certificateData: components["schemas"]["ParticipantCertificateData"];
            docTypes?: string[];
            active: boolean;
        };
        ParticipantVerifierCertificatePage: {
            data: components["schemas"]["ParticipantVerifierCertificate"][];
            nextCursor?: string;
        };
        Validation: {
            validated: boolean;
            /** Format: date-time */
            policyVersion?: string;
            identifier: string;
        };
        ParticipantEvidence: {
            /** Format: uuid */
            id: string;
            filename: string;
            fileDescription: string;
            uploadedBy: {
                /** Format: uuid */
                clientId?: string;
                managementUserId?: string;
            };
            /** Format: date-time */
            uploadedAt: string;
        };
        ParticipantEvidencePage: {
            data: components["schemas"]["ParticipantEvidence"][];
            nextCursor?: string;
        };
        PolicyCertificate: {
            /** Format: uuid */
            id: string;
            certificatePem: string;
            certificateFingerprint: string;
            docTypes: string[];
        };
        PolicyIssuer: {
            /** Format: uuid */
            id: string;
            name: string;
            issuerCertificates: components["schemas"]["PolicyCertificate"][];
        };
        PublishedIssuerPolicy: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            publishedAt: string;
            participants: components["schemas"]["PolicyIssuer"][];
        };
        IssuerPolicy: {
            participants: components["schemas"]["PolicyIssuer"][];
        };
        PolicyVerifier: {
            /** Format: uuid */
            id: string;
            name: string;
            verifierCertificates: components["schemas"]["PolicyCertificate"][];
        };
        PublishedVerifierPolicy: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            publishedAt: string;
            participants: components["schemas"]["PolicyVerifier"][];
        };
        VerifierPolicy: {
            participants: components["schemas"]["PolicyVerifier"][];
        };
        PolicyPublication: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            policyPublishedAt: string;
        };
        PolicyCredentialType: {
            profile: components["schemas"]["CredentialProfile"];
            type: string;
            name: string;
        };
        PolicyParticipant: {
            name: string;
            identifiers: components["schemas"]["Identifiers"];
            isIssuer: boolean;
            isVerifier: boolean;
            isIssuerConstrained: boolean;
            isVerifierConstrained: boolean;
            status: components["schemas"]["ParticipantStatus"];
            country?: string;
            stateOrProvince?: string;
            issuerCredentials: string[];
            verifierCredentials: string[];
        };
        EcosystemPolicy: {
            /** Format: date-time */
            policyModifiedAt: string;
            credentials: {
                [key: string]: components["schemas"]["PolicyCredentialType"];
            };
            participants: {
                [key: string]: components["schemas"]["PolicyParticipant"];
            };
        };
        LatestEcosystemPolicy: {
            /** Format: date-time */
            policyModifiedAt: string;
            credentials: {
                [key: string]: components["schemas"]["PolicyCredentialType"];
            };
            participants: {
                [key: string]: components["schemas"]["PolicyParticipant"];
            };
            /** Format: date-time */
            policyPublishedAt: string;
        };
        /** @enum {string} */
        PublicationFrequency: "Daily" | "Weekly";
        PublicationFailure: {
            /** Format: date-time */
            at: string;
            reason: string;
        };
        AutomaticPublication: {
            enabled: boolean;
            frequency: components["schemas"]["PublicationFrequency"];
            /** Format: date-time */
            configuredAt: string;
            lastFailure?: components["schemas"]["PublicationFailure"];
        };
        ListRetention: {
            keepLast: number;
            keepMonthly: boolean;
        };
        VicalConfiguration: {
            vicalProvider: string;
            autoPublish?: components["schemas"]["AutomaticPublication"];
            retention?: components["schemas"]["ListRetention"];
        };
        PublishedVical: {
            vicalIssueID: number;
            /** Format: date-time */
            date: string;
        };
        Vical: {
            vicalIssueID: number;
            /** Format: date-time */
            date: string;
            filename: string;
            isAutoPublished: boolean;
        };
        VicalPage: {
            data: components["schemas"]["Vical"][];
            nextCursor?: string;
        };
        ListedCertificate: {
            certificateFingerprint: string;
            ski: string;
            issuer: string;
            subject: string;
            docTypes: string[];
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            notAfter: string;
        };
        VicalChanges: {
            added: components["schemas"]["ListedCertificate"][];
            removed: components["schemas"]["ListedCertificate"][];
            changed: {
                certificateFingerprint: string;
                ski: string;
                issuer: string;
                subject: string;
                docTypes: string[];
                /** Format: date-time */
                notBefore: string;
                /** Format: date-time */
                notAfter: string;
                formerDocTypes: string[];
            }[];
        };
        VicalCertificates: {
            data: components["schemas"]["ListedCertificate"][];
        };
        RicalConfiguration: {
            ricalProvider: string;
            autoPublish?: components["schemas"]["AutomaticPublication"];
            retention?: components["schemas"]["ListRetention"];
        };
        PublishedRical: {
            ricalIssueID: number;
            /** Format: date-time */
            date: string;
        };
        Rical: {
            ricalIssueID: number;
            /** Format: date-time */
            date: string;
            filename: string;
            isAutoPublished: boolean;
        };
        RicalPage: {
            data: components["schemas"]["Rical"][];
            nextCursor?: string;
        };
        Ecosystems: {
            tenantConfiguration: {
                ecosystems: {
                    /** Format: uuid */
                    id: string;
                    name: string;
                }[];
            };
            integrations: {
                format: components["schemas"]["IntegrationFormat"];
                url: string;
                enabled: boolean;
            }[];
        };
        IntegratedCertificateData: {
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            notAfter: string;
            country?: string;
            stateOrProvinceName?: string;
            organisationName?: string;
            commonName?: string;
        };
        IntegratedCertificate: {
            format: components["schemas"]["IntegrationFormat"];
            url: string;
            certificatePem: string;
            certificateFingerprint: string;
            certificateData: components["schemas"]["IntegratedCertificateData"];
            docTypes?: string[];
        };
        IntegratedCertificatePage: {
            data: components["schemas"]["IntegratedCertificate"][];
            nextCursor?: string;
        };
        AndroidKeyAttestation: {
            required: boolean;
            rootCertificates: string[];
        };
        AndroidApplication: {
            /** Format: uuid */
            id: string;
            /** @constant */
            type: "android";
            name: string;
            packageName: string;
            packageSigningCertificateThumbprints: string[];
            keyAttestation: components["schemas"]["AndroidKeyAttestation"];
        };
        IosApplication: {
            /** Format: uuid */
            id: string;
            /** @constant */
            type: "ios";
            name: string;
            bundleId: string;
            teamId: string;
        };
        HolderApplication: components["schemas"]["AndroidApplication"] | components["schemas"]["IosApplication"];
        HolderApplicationsPage: {
            data: components["schemas"]["HolderApplication"][];
            nextCursor?: string;
        };
        HolderApplicationChallenge: {
            challenge: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @enum {string} */
        AppAttestationType: "none" | "android-key-attestation";
        RegisteredInstance: {
            /** Format: uuid */
            id: string;
            appAttestationType: components["schemas"]["AppAttestationType"];
            /** Format: date-time */
            registeredAt: string;
            /** Format: date-time */
            lastAttestedAt?: string;
        };
        HolderApplicationInstance: {
            /** Format: uuid */
            id: string;
            appAttestationType: components["schemas"]["AppAttestationType"];
            /** Format: date-time */
            registeredAt: string;
            /** Format: date-time */
            lastAttestedAt?: string;
            publicKeyJwk: {
                [key: string]: string;
            };
            deviceDetails: {
                [key: string]: unknown;
            };
            sdkDetails: {
                [key: string]: unknown;
            };
        };
        HolderApplicationInstancePage: {
            data: components["schemas"]["HolderApplicationInstance"][];
            nextCursor?: string;
        };
        /** @enum {string} */
        CertificateKind: "iaca" | "document-signer" | "status-list-signer" | "ecosystem-ca" | "vical-signer" | "rical-signer";
        /** @enum {string} */
        CertificateRenewal: "operator" | "late";
        /** @enum {string} */
        Severity: "critical" | "warning" | "notice";
        EndingCertificates: {
            data: {
                /** Format: uuid */
                id: string;
                kind: components["schemas"]["CertificateKind"];
                /** Format: uuid */
                authorityId?: string;
                /** Format: date-time */
                endsAt: string;
                daysLeft: number;
                renewal: components["schemas"]["CertificateRenewal"];
                severity: components["schemas"]["Severity"];
            }[];
            hasMore: boolean;
        };
        /** @enum {string} */
        StatusListProfile: "compact" | "compact-semantic" | "web-semantic" | "mobile";
        /** @enum {string} */
        LateStatusListReason: "expired" | "notRenewed" | "changesMissing";
        LateStatusLists: {
            data: {
                /** Format: uuid */
                id: string;
                profile: components["schemas"]["StatusListProfile"];
                reason: components["schemas"]["LateStatusListReason"];
                /** Format: date-time */
                since: string;
                severity: components["schemas"]["Severity"];
            }[];
            hasMore: boolean;
        };
        /** @enum {string} */
        TroubledWebhookReason: "failing" | "waiting" | "disabled";
        TroubledWebhooks: {
            data: {
                /** Format: uuid */
                id: string;
                url: string;
                reason: components["schemas"]["TroubledWebhookReason"];
                /** Format: date-time */
                since?: string;
                failures: number;
                /** Format: date-time */
                pausedUntil?: string;
                /** Format: date-time */
                waitingSince?: string;
                severity: components["schemas"]["Severity"];
            }[];
            hasMore: boolean;
        };
        /** @enum {string} */
        QueueName: "signing" | "signing-bulk" | "publishing" | "integrations" | "delivery" | "analytics" | "upkeep";
        /** @enum {string} */
        Work: "issuance" | "statusChange" | "delivery" | "message" | "bulk" | "integration";
        LateJobs: {
            data: {
                queue: components["schemas"]["QueueName"];
                work: components["schemas"]["Work"];
                /** Format: date-time */
                since: string;
                severity: components["schemas"]["Severity"];
            }[];
            hasMore: boolean;
        };
        /** @enum {string} */
        TrustedListName: "VICAL" | "RICAL";
        /** @enum {string} */
        TroubledPublicationReason: "failed" | "due" | "ending";
        TroubledPublications: {
            data: {
                /** Format: uuid */
                ecosystemId: string;
                list: components["schemas"]["TrustedListName"];
                reason: components["schemas"]["TroubledPublicationReason"];
                /** Format: date-time */
                since?: string;
                /** Format: date-time */
                nextUpdate?: string;
                failure?: string;
                severity: components["schemas"]["Severity"];
            }[];
            hasMore: boolean;
        };
        FailingIntegrations: {
            data: {
                /** Format: uuid */
                ecosystemId: string;
                url: string;
                failures: number;
                reasons: string[];
                /** Format: date-time */
                since?: string;
                severity: components["schemas"]["Severity"];
            }[];
            hasMore: boolean;
        };
        Count: {
            count: number;
            isAtLeast: boolean;
        };
        Counts: {
            users?: components["schemas"]["Count"];
            credentials?: components["schemas"]["Count"];
            signedCredentials?: components["schemas"]["Count"];
            notValid?: components["schemas"]["Count"];
            configurations?: components["schemas"]["Count"];
            usableOffers?: components["schemas"]["Count"];
            wallets?: components["schemas"]["Count"];
            webhooks?: components["schemas"]["Count"];
            pendingDeliveries?: components["schemas"]["Count"];
            ecosystems?: components["schemas"]["Count"];
            participants?: components["schemas"]["Count"];
        };
        IssuedDays: {
            data: {
                /** Format: date */
                day: string;
                issued: number;
            }[];
            total: number;
        };
        Queues: {
            data: {
                queue: components["schemas"]["QueueName"];
                waiting: number;
                active: number;
                delayed: number;
                failed: number;
                /** Format: date-time */
                since?: string;
                workers?: number;
            }[];
            outbox: {
                waiting: number;
                /** Format: date-time */
                since?: string;
            };
        };
        ListedConfiguration: {
            /** Format: uuid */
            id: string;
            profile: components["schemas"]["CredentialProfile"];
            type: string;
            name: string;
            description?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            isRevocable: boolean;
            claims: number;
            /** Format: date-time */
            createdAt: string;
        };
        ListedConfigurationPage: {
            data: components["schemas"]["ListedConfiguration"][];
            nextCursor?: string;
        };
        Event: {
            /** Format: uuid */
            id: string;
            type: string;
            category: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            requestId: string;
            /** Format: uuid */
            tenantId: string;
            /** Format: uuid */
            clientId?: string;
            walletClientId?: string;
            managementUserId?: string;
            metadata: {
                [key: string]: unknown;
            };
            data: {
                [key: string]: unknown;
            };
        };
        EventPage: {
            data: components["schemas"]["Event"][];
            nextCursor?: string;
        };
        OpenApi: {
            [key: string]: unknown;
        };
        Live: {
            /** @constant */
            status: "ok";
            apiVersion: string;
            managementApiVersion: string;
        };
        /** @enum {string} */
        Health: "ok" | "unavailable";
        Readiness: {
            status: components["schemas"]["Health"];
            /** @enum {string} */
            phase: "starting" | "serving" | "stopping";
            checks: {
                database: components["schemas"]["Health"];
                redis: components["schemas"]["Health"];
                signing: components["schemas"]["Health"];
            };
            problems: string[];
        };
        ManagementTokenRequest: {
            client_id?: string;
            /** Format: password */
            client_secret?: string;
            audience?: string;
            grant_type: string;
        };
        ConsoleSessionRequest: {
            clientId?: string;
            /** Format: password */
            clientSecret?: string;
            /** Format: password */
            code?: string;
        };
        /** @enum {string} */
        Partial: "true" | "false";
        SignInProviderRequest: {
            name: string;
            issuer: string;
            clientId: string;
            /** Format: password */
            clientSecret?: string;
            tokenEndpointAuthMethod?: components["schemas"]["TokenEndpointAuthMethod"];
            scope?: string[];
            claim: string;
            userClaim?: string;
            roles: {
                value: string;
                roles: components["schemas"]["TenantRole"][];
            }[];
        };
        ProviderSignInRequest: {
            return?: string;
        };
        TenantEncryptionRequest: {
            requestRequired?: boolean;
            responseRequired?: boolean;
        };
        TenantRequest: {
            statusListFormat?: components["schemas"]["StatusListFormat"];
            profile?: components["schemas"]["SecurityProfile"];
            encryption?: components["schemas"]["TenantEncryptionRequest"];
            deferredIssuance?: components["schemas"]["DeferredIssuance"];
            maxCredentialsPerSession?: number;
            publicClients?: boolean;
            keyAttestationRoots?: string[];
            branding?: components["schemas"]["TenantBranding"];
            keyRotation?: components["schemas"]["KeyRotation"];
            limits?: components["schemas"]["TenantLimits"];
            name: string;
            subdomain: string;
            aliases?: string[];
        };
        UpdateTenantRequest: {
            statusListFormat?: components["schemas"]["StatusListFormat"];
            profile?: components["schemas"]["SecurityProfile"];
            encryption?: components["schemas"]["TenantEncryptionRequest"];
            deferredIssuance?: components["schemas"]["DeferredIssuance"];
            maxCredentialsPerSession?: number;
            publicClients?: boolean;
            keyAttestationRoots?: string[];
            branding?: components["schemas"]["TenantBranding"];
            keyRotation?: components["schemas"]["KeyRotation"];
            limits?: components["schemas"]["TenantLimits"];
            name?: string;
            aliases?: string[];
        };
        ClientRequest: {
            name: string;
            roles: components["schemas"]["Role"][];
        };
        ClientSecretRequest: {
            overlapSeconds?: number;
        };
        NewKeyDid: {
            /** @constant */
            method: "key";
            options?: {
                /** @enum {string} */
                keyType?: "Ed25519" | "Bls12381G2";
            };
        };
        NewWebDid: {
            /** @constant */
            method: "web";
            options: {
                url: string;
            };
        };
        DidRequest: components["schemas"]["NewKeyDid"] | components["schemas"]["NewWebDid"];
        AuthenticationProviderRequest: {
            url: string;
            scope?: string[];
            clientId: string;
            /** Format: password */
            clientSecret: string;
            tokenEndpointAuthMethod?: components["schemas"]["TokenEndpointAuthMethod"];
            staticRequestParameters?: {
                [key: string]: string | number | boolean;
            };
            forwardedRequestParameters?: string[];
            claimsToPersist?: string[];
        };
        UpdateAuthenticationProviderRequest: {
            url: string;
            scope?: string[];
            clientId: string;
            /** Format: password */
            clientSecret?: string;
            tokenEndpointAuthMethod?: components["schemas"]["TokenEndpointAuthMethod"];
            staticRequestParameters?: {
                [key: string]: string | number | boolean;
            };
            forwardedRequestParameters?: string[];
            claimsToPersist?: string[];
        };
        OpenIdConfigurationRequest: {
            interactionHook: {
                url: string;
                claims?: string[];
                sessionTimeoutInSec?: number;
                disabled?: boolean;
                renewSecret?: boolean;
            };
        };
        ClaimSourceRequest: {
            name: string;
            url: string;
            requestParameters?: {
                [key: string]: components["schemas"]["RequestParameter"];
            };
            requestMethod?: components["schemas"]["RequestMethod"];
            authorization: components["schemas"]["ApiKeyAuthorization"] | components["schemas"]["ClientCredentialsAuthorization"];
        };
        TestClaimSourceRequest: {
            claims?: {
                [key: string]: unknown;
            };
            authenticationProvider?: {
                url?: string;
                subjectId?: string;
            };
        };
        IacaRequest: {
            commonName?: string;
            country?: string;
            stateOrProvinceName?: string;
            notBefore?: string;
            notAfter?: string;
            certificatePem?: string;
        };
        UpdateIacaRequest: {
            active: boolean;
        };
        DocumentSignerRequest: {
            /** Format: uuid */
            iacaId: string;
        };
        UpdateDocumentSignerRequest: {
            active: boolean;
            certificatePem?: string;
        };
        RevokeDocumentSignerRequest: Record<string, never>;
        StatusListSignerRequest: {
            /** Format: uuid */
            iacaId: string;
        };
        CompactConfigurationRequest: {
            type?: string;
            claimMappings: {
                [key: string]: components["schemas"]["ClaimMapping"];
            };
            revocable?: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
        };
        SignCompactRequest: {
            payload: {
                iss?: string;
                sub?: string;
                aud?: string;
                nbf?: number;
                exp?: number;
                iat?: number;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            revocable?: boolean;
            isRevoked?: boolean;
        };
        CompactSemanticConfigurationRequest: {
            type?: string;
            claimMappings: {
                [key: string]: components["schemas"]["ClaimMapping"];
            };
            revocable?: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
        };
        SignCompactSemanticRequest: {
            payload: {
                iss?: string;
                sub?: string;
                aud?: string;
                nbf?: number;
                exp?: number;
                iat?: number;
                vc: {
                    "@context"?: string | string[];
                    type: string | string[];
                    credentialSubject: {
                        [key: string]: unknown;
                    } | {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            revocable?: boolean;
            isRevoked?: boolean;
        };
        WebSemanticConfigurationRequest: {
            name: string;
            type: string;
            issuer: components["schemas"]["WebSemanticIssuer"];
            description?: string;
            additionalTypes?: string[];
            contexts?: string[];
            /** @constant */
            proofType?: "Ed25519Signature2018";
            credentialBranding?: components["schemas"]["CredentialBranding"];
            claimMappings: {
                [key: string]: components["schemas"]["ClaimMapping"];
            };
            persist?: boolean;
            revocable?: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
        };
        ContextRequest: {
            /** Format: uri */
            url: string;
            document: {
                [key: string]: unknown;
            };
        };
        SignWebSemanticRequest: {
            payload: {
                "@context"?: string[];
                type: string[];
                issuer?: {
                    id?: string;
                    name?: string;
                    /** Format: uri */
                    logoUrl?: string;
                    /** Format: uri */
                    iconUrl?: string;
                } & {
                    [key: string]: unknown;
                };
                credentialSubject: {
                    [key: string]: unknown;
                };
                name?: string;
                description?: string;
                credentialBranding?: {
                    backgroundColor?: string;
                    /** Format: uri */
                    watermarkImageUrl?: string;
                } & {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                issuanceDate?: string;
                /** Format: date-time */
                expirationDate?: string;
            } & {
                [key: string]: unknown;
            };
            /** @constant */
            proofType?: "Ed25519Signature2018";
            tag?: string;
            persist?: boolean;
            revocable?: boolean;
        };
        WebSemanticRevocationMessageRequest: {
            from: string;
            to: string[];
        };
        MobileConfigurationRequest: {
            type: string;
            claimMappings: {
                [key: string]: {
                    [key: string]: components["schemas"]["ElementMapping"];
                };
            };
            validFrom?: components["schemas"]["MappedTime"];
            validUntil?: components["schemas"]["MappedTime"];
            branding?: components["schemas"]["MobileBranding"];
            includeStatus?: boolean;
            /** Format: uuid */
            claimSourceId?: string;
            expiresIn?: components["schemas"]["CalendarDuration"];
            keyAttestationsRequired?: components["schemas"]["KeyAttestationsRequired"];
            display?: components["schemas"]["CredentialDisplay"][];
        };
        StatusListConfigurationRequest: {
            docType: string;
            timeToLiveDuration?: components["schemas"]["Days"];
            expiryDuration?: components["schemas"]["Days"];
        };
        UpdateStatusListConfigurationRequest: {
            timeToLiveDuration?: components["schemas"]["Days"];
            expiryDuration?: components["schemas"]["Days"];
        };
        ProviderSubject: {
            providerId: string;
            subjectId: string;
        };
        UserRequest: {
            claims?: {
                [key: string]: unknown;
            };
            authenticationProvider?: components["schemas"]["ProviderSubject"];
        };
        UsersRequest: {
            claims?: {
                [key: string]: unknown;
            };
            authenticationProvider?: {
                providerId?: string;
                subjectId?: string;
            };
            withClaims?: boolean;
            limit?: number;
            cursor?: string;
        };
        UpdateUserRequest: {
            claims?: {
                [key: string]: unknown;
            };
            authenticationProvider?: components["schemas"]["ProviderSubject"];
        };
        WalletAttestationRequest: {
            required?: boolean;
            dpopRequired?: boolean;
            rootCertificates?: string[];
        };
        OAuthClientRequest: {
            name: string;
            redirectUris: string[];
            attestation?: components["schemas"]["WalletAttestationRequest"];
            dpopRequired?: boolean;
            clientId?: string;
        };
        UpdateOAuthClientRequest: {
            name: string;
            redirectUris: string[];
            attestation?: components["schemas"]["WalletAttestationRequest"];
            dpopRequired?: boolean;
        };
        WalletProviderRequest: {
            certificatePem: string;
        };
        ClientAttestationRequest: {
            /** Format: password */
            clientAttestation: string;
            clientId?: string;
        };
        /** @enum {string} */
        OfferForm: "value" | "reference";
        OfferRequest: {
            credentials: string[];
            by?: components["schemas"]["OfferForm"];
            request_parameters?: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        OfferOrder: "oldest" | "newest";
        PreAuthorizedOfferRequest: {
            credentials: string[];
            by?: components["schemas"]["OfferForm"];
            /** Format: uuid */
            userId?: string;
            claims?: {
                [key: string]: unknown;
            };
            claimsToPersist?: string[];
            transactionCodeConfiguration?: {
                /** @constant */
                inputMode?: "numeric";
                description?: string;
            };
            expiresIn?: {
                minutes?: number;
                seconds?: number;
            };
        };
        AuthorizationRequestRequest: {
            response_type?: string;
            response_mode?: string;
            client_id?: string;
            redirect_uri?: string;
            scope?: string;
            authorization_details?: string;
            state?: string;
            code_challenge?: string;
            code_challenge_method?: string;
            issuer_state?: string;
            dpop_jkt?: string;
            request_uri?: string;
        } & {
            [key: string]: unknown;
        };
        AccessTokenRequest: {
            grant_type: string;
            client_id?: string;
            /** Format: password */
            "pre-authorized_code"?: string;
            /** Format: password */
            tx_code?: string;
            /** Format: password */
            code?: string;
            redirect_uri?: string;
            /** Format: password */
            code_verifier?: string;
            /** Format: password */
            refresh_token?: string;
            authorization_details?: string;
        };
        CredentialRequest: {
            credential_configuration_id?: string;
            credential_identifier?: string;
            proofs?: {
                [key: string]: unknown;
            };
            credential_response_encryption?: unknown;
            proof?: {
                [key: string]: unknown;
            };
            format?: string;
            credential_definition?: {
                type?: string[];
                types?: string[];
            };
            types?: string[];
            doctype?: string;
        };
        DeferredCredentialRequest: {
            /** Format: password */
            transaction_id: string;
            credential_response_encryption?: unknown;
        };
        IssuerRequest: {
            notification_id: string;
            /** @enum {string} */
            event: "credential_accepted" | "credential_failure" | "credential_deleted";
            event_description?: string;
        };
        RevocationStatusesRequest: {
            credentials?: string[];
            filter?: {
                /** Format: uuid */
                configurationId?: string;
                /** Format: uuid */
                userId?: string;
                issuedFrom?: string;
                issuedTo?: string;
            };
            isRevoked: boolean;
        };
        /** @enum {string} */
        WebhookEventKind: "OpenIdCredentialIssued" | "OpenIdCredentialIssuedSummary";
        WebhookRequest: {
            events: components["schemas"]["WebhookEventKind"][];
            url: string;
        };
        UpdateWebhookRequest: {
            events: components["schemas"]["WebhookEventKind"][];
            url: string;
            disabled?: boolean;
        };
        /** @enum {string} */
        DeliveryOrder: "oldest" | "newest";
        /** @enum {string} */
        EndedDeliveryStatus: "delivered" | "failed";
        WebhookDeliveriesRequest: {
            /** Format: date-time */
            since: string;
            status?: components["schemas"]["EndedDeliveryStatus"];
            cursor?: string;
        };
        TrustedIssuerRequest: {
            certificatePem: string;
        };
        /** @enum {string} */
        FlagInForm: "true" | "false";
        VerifyCwtForm: {
            /** Format: binary */
            file: string;
            trustedIssuers?: string[] | string;
            assertValidFrom?: boolean | components["schemas"]["FlagInForm"];
            assertValidUntil?: boolean | components["schemas"]["FlagInForm"];
            checkRevocation?: boolean | components["schemas"]["FlagInForm"];
        };
        VerifyCwtRequest: {
            payload: string;
            trustedIssuers?: string[] | string;
            assertValidFrom?: boolean | components["schemas"]["FlagInForm"];
            assertValidUntil?: boolean | components["schemas"]["FlagInForm"];
            checkRevocation?: boolean | components["schemas"]["FlagInForm"];
        };
        VerifyWebSemanticRequest: {
            payload: {
                [key: string]: unknown;
            };
            assertValidFrom?: boolean | components["schemas"]["FlagInForm"];
            assertValidUntil?: boolean | components["schemas"]["FlagInForm"];
            checkRevocation?: boolean | components["schemas"]["FlagInForm"];
        };
        QueryByExample: {
            /** @constant */
            type: "QueryByExample";
            credentialQuery: {
                required?: boolean;
                reason?: string;
            }[];
        };
        DidAuthentication: {
            /** @constant */
            type: "DIDAuth";
        };
        PresentationTemplateRequest: {
            domain: string;
            name: string;
            query: (components["schemas"]["QueryByExample"] | components["schemas"]["DidAuthentication"])[];
        };
        UpdatePresentationTemplateRequest: {
            domain: string;
            name: string;
            query: (components["schemas"]["QueryByExample"] | components["schemas"]["DidAuthentication"])[];
            /** Format: uuid */
            id?: string;
        };
        PresentationRequestRequest: {
            challenge: string;
            /** Format: uuid */
            templateId: string;
            did: string;
            callbackUrl: string;
            expiresTime?: number;
        };
        VerifyPresentationRequest: {
            presentation: {
                [key: string]: unknown;
            };
            challenge: string;
            domain: string;
        };
        InboxRequest: {
            name: string;
        };
        InboxDidRequest: {
            did: string;
            jwt?: string;
        };
        MessageRequest: {
            senderDidUrl: string;
            recipientDidUrls: string[];
            payload: {
                id: string;
                type: string;
                from?: string;
                created_time?: number;
                body: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        DecryptMessageRequest: {
            jwe: {
                protected: string;
                recipients: {
                    header: {
                        [key: string]: unknown;
                    };
                    encrypted_key?: string;
                    encryption_key?: string;
                }[];
                ciphertext: string;
                iv: string;
                tag: string;
            };
            allowSenderMismatch?: boolean;
        };
        SignMessageRequest: {
            didUrl: string;
            payload: {
                [key: string]: unknown;
            };
        };
        VerifyMessageRequest: {
            jws: string;
        };
        SendMessageRequest: {
            to: string;
            message: {
                protected: string;
                recipients: {
                    [key: string]: unknown;
                }[];
                ciphertext: string;
                iv: string;
                tag: string;
            } & {
                [key: string]: unknown;
            };
        };
        EcosystemCaRequest: {
            commonName?: string;
            country?: string;
            notBefore?: string;
            notAfter?: string;
            certificatePem?: string;
            organisationName?: string;
        };
        VicalSignerRequest: {
            /** Format: uuid */
            caId: string;
        };
        UpdateVicalSignerRequest: {
            active: boolean;
            certificatePem?: string;
        };
        RicalSignerRequest: {
            /** Format: uuid */
            caId: string;
        };
        NewIntegration: {
            format: components["schemas"]["IntegrationFormat"];
            url: string;
            enabled?: boolean;
            trustAnchors?: string[];
        };
        EcosystemRequest: {
            name: string;
            integrations?: components["schemas"]["NewIntegration"][];
        };
        CredentialTypeRequest: {
            profile: components["schemas"]["CredentialProfile"];
            type: string;
            name: string;
        };
        NewMobileIdentifier: {
            certificatePem: string;
            status?: components["schemas"]["ParticipantStatus"];
        };
        NewIdentifiers: {
            "web-semantic"?: string;
            "compact-semantic"?: string;
            compact?: string;
            mobile?: components["schemas"]["NewMobileIdentifier"][];
        };
        ParticipantRequest: {
            name: string;
            identifiers?: components["schemas"]["NewIdentifiers"];
            isIssuer?: boolean;
            isVerifier?: boolean;
            isIssuerConstrained?: boolean;
            isVerifierConstrained?: boolean;
            status?: components["schemas"]["ParticipantStatus"];
            country?: string;
            stateOrProvince?: string;
            contacts?: {
                phoneNumber?: string;
                address?: string;
            }[];
        };
        IssuerCredentialTypeRequest: {
            /** Format: uuid */
            credentialId: string;
        };
        ParticipantIssuerCertificateRequest: {
            certificatePem: string;
            docTypes?: string[] | null;
            active?: boolean;
        };
        UpdateParticipantIssuerCertificateRequest: {
            docTypes?: string[] | null;
            active?: boolean;
        };
        ValidationRequest: {
            profile: components["schemas"]["CredentialProfile"];
            identifier: string;
            type: string;
        };
        ParticipantEvidenceForm: {
            /** Format: binary */
            file: string;
            fileDescription?: string;
        };
        UpdateParticipantEvidenceRequest: {
            filename?: string;
            fileDescription?: string;
        };
        NewAutomaticPublication: {
            enabled: boolean;
            frequency?: components["schemas"]["PublicationFrequency"];
        };
        VicalRequest: {
            vicalProvider: string;
            autoPublish?: components["schemas"]["NewAutomaticPublication"];
            retention?: components["schemas"]["ListRetention"];
        };
        RicalRequest: {
            ricalProvider: string;
            autoPublish?: components["schemas"]["NewAutomaticPublication"];
            retention?: components["schemas"]["ListRetention"];
        };
        AndroidKeyAttestationRequest: {
            required?: boolean;
            rootCertificates?: string[];
        };
        NewAndroidApplication: {
            /** @constant */
            type: "android";
            name: string;
            packageName: string;
            packageSigningCertificateThumbprints: string[];
            keyAttestation?: components["schemas"]["AndroidKeyAttestationRequest"];
        };
        NewIosApplication: {
            /** @constant */
            type: "ios";
            name: string;
            bundleId: string;
            teamId: string;
        };
        HolderApplicationRequest: components["schemas"]["NewAndroidApplication"] | components["schemas"]["NewIosApplication"];
        HolderApplicationInstanceRequest: {
            challenge: string;
            publicKeyJwk: {
                kty: string;
            } & {
                [key: string]: unknown;
            };
            keyAttestation?: string[];
            deviceDetails?: {
                [key: string]: unknown;
            };
            sdkDetails?: {
                [key: string]: unknown;
            };
        };
        OpenIdCredentialIssuedDelivery: {
            /** Format: uuid */
            deliveryId: string;
            /** Format: date-time */
            deliveryTimestamp: string;
            /** Format: uuid */
            webhookId: string;
            event: {
                /** Format: uuid */
                id: string;
                /** @constant */
                type: "OpenIdCredentialIssued";
                /** Format: date-time */
                timestamp: string;
                payload: {
                    /** @constant */
                    test?: true;
                    format: string;
                    /** Format: uuid */
                    userId: string;
                    credentialProfile: components["schemas"]["CredentialProfile"] | "test";
                    /** Format: uuid */
                    credentialConfigurationId: string;
                    /** Format: uuid */
                    credentialId: string;
                    credentialOfferId: string | null;
                    /** Format: uuid */
                    sessionId: string;
                    credential: string | {
                        [key: string]: unknown;
                    };
                };
            };
        };
        OpenIdCredentialIssuedSummaryDelivery: {
            /** Format: uuid */
            deliveryId: string;
            /** Format: date-time */
            deliveryTimestamp: string;
            /** Format: uuid */
            webhookId: string;
            event: {
                /** Format: uuid */
                id: string;
                /** @constant */
                type: "OpenIdCredentialIssuedSummary";
                /** Format: date-time */
                timestamp: string;
                payload: {
                    /** @constant */
                    test?: true;
                    format: string;
                    /** Format: uuid */
                    userId: string;
                    credentialProfile: components["schemas"]["CredentialProfile"] | "test";
                    /** Format: uuid */
                    credentialConfigurationId: string;
                    /** Format: uuid */
                    credentialId: string;
                    credentialOfferId: string | null;
                    /** Format: uuid */
                    sessionId: string;
                };
            };
        };
    };
    responses: {
        OAuthAccessDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthUnsupportedGrantTypeOrBadRequestOrMalformedBodyOrUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthServiceUnavailable: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthInternal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthTooManyRequests: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        OAuthPayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        AccessDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        Forbidden: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        BadRequestOrMalformedBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        ServiceUnavailable: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        TooManyRequests: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        UnauthorizedOrWrongManagementToken: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "text/plain": "Unauthorized";
            };
        };
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        InternalPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        BadRequestPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        NotFoundPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        ServiceUnavailablePage: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        TooManyRequestsPage: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        NotFoundOrNoCrl: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        NotImplemented: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        OAuthInvalidRequestOrInvalidScopeOrInvalidAuthorizationDetailsOrUnsupportedResponseTypeOrRequestNotSupportedOrSignInUnavailableOrSignInHandedBackOrBadRequestPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["OAuthError"];
                "text/plain": string;
            };
        };
        OAuthInternalPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["OAuthError"];
                "text/plain": string;
            };
        };
        OAuthNotFoundPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["OAuthError"];
                "text/plain": string;
            };
        };
        OAuthServiceUnavailablePage: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["OAuthError"];
                "text/plain": string;
            };
        };
        OAuthTooManyRequestsPage: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        OAuthInvalidRequestOrInvalidScopeOrInvalidAuthorizationDetailsOrUnsupportedResponseTypeOrRequestNotSupportedOrInvalidDpopProofOrUseDpopNonceOrBadRequestOrMalformedBodyOrUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthInvalidClientOrInvalidClientAttestation: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        SignInFailedOrSignInUnavailableOrSignInExpiredOrSignInHandedBackOrBadRequestPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        SignInFailedOrSignInStepFailedOrSignInExpiredOrSignInHandedBackOrBadRequestPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
                "application/json": components["schemas"]["Error"];
                "text/plain": string;
            };
        };
        OAuthInvalidRequestOrInvalidGrantOrUnsupportedGrantTypeOrInvalidAuthorizationDetailsOrInvalidDpopProofOrUseDpopNonceOrBadRequestOrMalformedBodyOrUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthInvalidCredentialRequestOrUnknownCredentialConfigurationOrUnknownCredentialIdentifierOrInvalidProofOrInvalidNonceOrInvalidEncryptionParametersOrCredentialRequestDeniedOrCollectedEnoughOrBadRequestOrMalformedBodyOrUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthMissingTokenOrInvalidTokenOrInvalidDpopProofAtResourceOrUseDpopNonceAtResource: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthPayloadTooLarge2: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthInvalidCredentialRequestOrInvalidTransactionIdOrInvalidEncryptionParametersOrCredentialRequestDeniedOrBadRequestOrMalformedBodyOrUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthInvalidNotificationIdOrInvalidNotificationRequestOrBadRequestOrMalformedBodyOrUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        OAuthPayloadTooLarge3: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        VerificationFailedOrSenderMismatchOrBadRequestOrMalformedBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createManagementToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManagementTokenRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["ManagementTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementToken"];
                };
            };
            400: components["responses"]["OAuthUnsupportedGrantTypeOrBadRequestOrMalformedBodyOrUnsupportedMediaType"];
            401: components["responses"]["OAuthAccessDenied"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    retrieveConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createConsoleSession: {
        parameters: {
            query?: never;
            header: {
                "X-Console": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSessionRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["AccessDenied"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteConsoleSession: {
        parameters: {
            query?: never;
            header: {
                "X-Console": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveSignInProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInProvider"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceSignInProvider: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInProvider"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSignInProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testSignInProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSignInProviderResponse"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWaysIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaysIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginProviderSignIn: {
        parameters: {
            query?: never;
            header: {
                "X-Console": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProviderSignInRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderSignIn"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    finishProviderSignIn: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                error?: string;
                iss?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestPage"];
            404: components["responses"]["NotFoundPage"];
            429: components["responses"]["TooManyRequestsPage"];
            500: components["responses"]["InternalPage"];
            503: components["responses"]["ServiceUnavailablePage"];
        };
    };
    retrieveTenants: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTenant"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateTenant: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTenantRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveClients: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedClient"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateClient: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                tenantId: string;
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceClientSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClientSecretRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientSecret"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Keys"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                purpose: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveDids: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DidPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DidRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Did"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Did"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveAuthenticationProviders: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthenticationProviderPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAuthenticationProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthenticationProviderRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthenticationProvider"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveAuthenticationProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthenticationProvider"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateAuthenticationProvider: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAuthenticationProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthenticationProvider"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAuthenticationProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testAuthenticationProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSignInProviderResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenIdConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOpenIdConfiguration: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenIdConfigurationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenIdConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestOpenIdConfigurationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveClaimSources: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimSourcePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createClaimSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimSourceRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimSource"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveClaimSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimSource"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateClaimSource: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimSourceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimSource"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteClaimSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testClaimSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestClaimSourceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClaimSourceResponse"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIacas: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IacaPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createIaca: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IacaRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Iaca"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIaca: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                iacaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Iaca"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateIaca: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                iacaId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateIacaRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Iaca"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteIaca: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                iacaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIacaCrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                iacaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFoundOrNoCrl"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveDocumentSigners: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSignerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDocumentSigner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentSignerRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveDocumentSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                documentSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSigner"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDocumentSigner: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                documentSignerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentSignerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDocumentSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                documentSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeDocumentSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                documentSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeDocumentSignerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveStatusListSigners: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListSignerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createStatusListSigner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusListSignerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveStatusListSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                statusListSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListSigner"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateStatusListSigner: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                statusListSignerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentSignerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteStatusListSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                statusListSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeStatusListSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                statusListSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeDocumentSignerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactConfigurations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactConfigurationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCompactConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactConfigurationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateCompactConfiguration: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactConfigurationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCompactConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signCompact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignCompactRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedCompact"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactRevocationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevocationStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setCompactRevocationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevocationStatus"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactRevocationStatus"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCompactCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactRevocationLists: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevocationListPages"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactRevocationList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                listId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/cwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactSemanticConfigurations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactSemanticConfigurationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCompactSemanticConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactSemanticConfigurationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactSemanticConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactSemanticConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactSemanticConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateCompactSemanticConfiguration: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactSemanticConfigurationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactSemanticConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCompactSemanticConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signCompactSemantic: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignCompactSemanticRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedCompactSemantic"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactSemanticRevocationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevocationStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setCompactSemanticRevocationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevocationStatus"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactSemanticRevocationStatus"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCompactSemanticCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactSemanticRevocationLists: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevocationListPages"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCompactSemanticRevocationList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                listId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/cwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebSemanticConfigurations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticConfigurationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebSemanticConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebSemanticConfigurationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebSemanticConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebSemanticConfiguration: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebSemanticConfigurationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebSemanticConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveContexts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedContextPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createContext: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedContext"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signWebSemantic: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignWebSemanticRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticCredential"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebSemanticCredentials: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                tag?: string;
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticCredentialPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebSemanticCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticCredential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebSemanticCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebSemanticRevocationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevocationStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setWebSemanticRevocationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevocationStatus"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebSemanticRevocationMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebSemanticRevocationMessageRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticRevocationMessage"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebSemanticRevocationList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticRevocationList"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveMobileConfigurations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileConfigurationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createMobileConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MobileConfigurationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveMobileConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMobileConfiguration: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MobileConfigurationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteMobileConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteMobileCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveStatusListConfigurations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListConfigurationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createStatusListConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusListConfigurationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveStatusListConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownStatusListConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateStatusListConfiguration: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateStatusListConfigurationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteStatusListConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveMobileStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setMobileStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MobileStatus"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileStatus"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveMobileStatusLists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileStatusLists"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveMobileStatusListToken: {
        parameters: {
            query?: {
                time?: string;
            };
            header?: never;
            path: {
                statusListId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/cwt": string;
                    "application/statuslist+cwt": string;
                    "application/statuslist+jwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMobileStatusLists: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileStatusListPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveMobileStatusList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                statusListId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobileStatusList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveUsers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UserRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UsersRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchUsersItemPage"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveUserCredentials: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserCredentialPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIssuedCredentials: {
        parameters: {
            query: {
                limit?: number;
                cursor?: string;
                configurationId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredentialPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIssuedCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOAuthClients: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OAuthClientRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClient"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClient"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOAuthClient: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOAuthClientRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClient"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWalletProviders: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletProviderPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWalletProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletProviderRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletProvider"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWalletProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletProvider"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWalletProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testClientAttestation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientAttestationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientAttestation"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOffers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                state?: components["schemas"]["OfferState"];
                configurationId?: string;
                order?: components["schemas"]["OfferOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedOffer"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPreAuthorizedOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreAuthorizedOfferRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreAuthorizedOffer"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePreAuthorizedOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    serveOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetrieveOfferResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOfferTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferTimeline"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    showOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                offerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestPage"];
            404: components["responses"]["NotFoundPage"];
            429: components["responses"]["TooManyRequestsPage"];
            500: components["responses"]["InternalPage"];
            503: components["responses"]["ServiceUnavailablePage"];
        };
    };
    retrieveOfferPageState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                offerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferPageState"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOfferQr: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Vary?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "image/png": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLogoAddress: {
        parameters: {
            query: {
                url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoAddress"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveDidDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "no-cache";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DidDocument"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "no-cache";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveDidConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DidConfiguration"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLinkedDids: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedDids"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrievePublishedIacas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedIacas"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIssuerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuerMetadata"];
                    "application/jwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOpenIdDiscovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "no-cache";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwkSet"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "no-cache";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    authorize: {
        parameters: {
            query?: {
                response_type?: string;
                response_mode?: string;
                client_id?: string;
                redirect_uri?: string;
                scope?: string;
                authorization_details?: string;
                state?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                issuer_state?: string;
                dpop_jkt?: string;
                request_uri?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthInvalidRequestOrInvalidScopeOrInvalidAuthorizationDetailsOrUnsupportedResponseTypeOrRequestNotSupportedOrSignInUnavailableOrSignInHandedBackOrBadRequestPage"];
            404: components["responses"]["OAuthNotFoundPage"];
            429: components["responses"]["OAuthTooManyRequestsPage"];
            500: components["responses"]["OAuthInternalPage"];
            503: components["responses"]["OAuthServiceUnavailablePage"];
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pushAuthorizationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AuthorizationRequestRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushedAuthorizationRequest"];
                };
            };
            400: components["responses"]["OAuthInvalidRequestOrInvalidScopeOrInvalidAuthorizationDetailsOrUnsupportedResponseTypeOrRequestNotSupportedOrInvalidDpopProofOrUseDpopNonceOrBadRequestOrMalformedBodyOrUnsupportedMediaType"];
            401: components["responses"]["OAuthInvalidClientOrInvalidClientAttestation"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    finishLogin: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                error?: string;
                iss?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["SignInFailedOrSignInUnavailableOrSignInExpiredOrSignInHandedBackOrBadRequestPage"];
            404: components["responses"]["NotFoundPage"];
            429: components["responses"]["TooManyRequestsPage"];
            500: components["responses"]["InternalPage"];
            503: components["responses"]["ServiceUnavailablePage"];
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finishInteraction: {
        parameters: {
            query: {
                session_token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["SignInFailedOrSignInStepFailedOrSignInExpiredOrSignInHandedBackOrBadRequestPage"];
            404: components["responses"]["NotFoundPage"];
            429: components["responses"]["TooManyRequestsPage"];
            500: components["responses"]["InternalPage"];
            503: components["responses"]["ServiceUnavailablePage"];
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AccessTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            400: components["responses"]["OAuthInvalidRequestOrInvalidGrantOrUnsupportedGrantTypeOrInvalidAuthorizationDetailsOrInvalidDpopProofOrUseDpopNonceOrBadRequestOrMalformedBodyOrUnsupportedMediaType"];
            401: components["responses"]["OAuthInvalidClientOrInvalidClientAttestation"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    createNonce: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nonce"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            404: components["responses"]["OAuthNotFound"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    issueCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialRequest"];
                "application/jwt": string;
            };
        };
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredentials"];
                    "application/jwt": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeferredCredential"];
                    "application/jwt": string;
                };
            };
            400: components["responses"]["OAuthInvalidCredentialRequestOrUnknownCredentialConfigurationOrUnknownCredentialIdentifierOrInvalidProofOrInvalidNonceOrInvalidEncryptionParametersOrCredentialRequestDeniedOrCollectedEnoughOrBadRequestOrMalformedBodyOrUnsupportedMediaType"];
            401: components["responses"]["OAuthMissingTokenOrInvalidTokenOrInvalidDpopProofAtResourceOrUseDpopNonceAtResource"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge2"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    collectDeferredCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeferredCredentialRequest"];
                "application/jwt": string;
            };
        };
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredentials"];
                    "application/jwt": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeferredCredential"];
                    "application/jwt": string;
                };
            };
            400: components["responses"]["OAuthInvalidCredentialRequestOrInvalidTransactionIdOrInvalidEncryptionParametersOrCredentialRequestDeniedOrBadRequestOrMalformedBodyOrUnsupportedMediaType"];
            401: components["responses"]["OAuthMissingTokenOrInvalidTokenOrInvalidDpopProofAtResourceOrUseDpopNonceAtResource"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge2"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    notifyIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuerRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthInvalidNotificationIdOrInvalidNotificationRequestOrBadRequestOrMalformedBodyOrUnsupportedMediaType"];
            401: components["responses"]["OAuthMissingTokenOrInvalidTokenOrInvalidDpopProofAtResourceOrUseDpopNonceAtResource"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge3"];
            429: components["responses"]["OAuthTooManyRequests"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    setRevocationStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevocationStatusesRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedStatusChange"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRevocationStatuses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveStatusLists: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusListPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebhookKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "no-cache";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKeys"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "no-cache";
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveWebhookDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: components["schemas"]["DeliveryStatus"];
                order?: components["schemas"]["DeliveryOrder"];
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDeliveriesRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveTrustedIssuers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedIssuerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTrustedIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrustedIssuerRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedIssuer"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveTrustedIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedIssuer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTrustedIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyCompactCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["VerifyCwtForm"];
                "application/json": components["schemas"]["VerifyCwtRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactVerification"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyCompactSemanticCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["VerifyCwtForm"];
                "application/json": components["schemas"]["VerifyCwtRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactSemanticVerification"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyWebSemanticCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyWebSemanticRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSemanticVerification"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrievePresentationTemplates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentationTemplatePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPresentationTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresentationTemplateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentationTemplate"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrievePresentationTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentationTemplate"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePresentationTemplate: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePresentationTemplateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentationTemplate"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePresentationTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPresentationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresentationRequestRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentationRequest"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyPresentation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyPresentationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentationVerification"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveInboxes: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createInbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboxRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateInbox: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboxRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveInboxDids: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxDidsPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerInboxDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboxDidRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxDid"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unregisterInboxDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveInboxMessages: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                messageid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                messageid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    encryptMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EncryptedMessage"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    decryptMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecryptMessageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecryptedMessage"];
                };
            };
            400: components["responses"]["VerificationFailedOrSenderMismatchOrBadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignMessageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyMessageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedMessage"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveEcosystemCas: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EcosystemCaPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEcosystemCa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EcosystemCaRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EcosystemCa"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveEcosystemCa: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dtsCaCertificateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EcosystemCa"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEcosystemCa: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                dtsCaCertificateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateIacaRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EcosystemCa"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEcosystemCa: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dtsCaCertificateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveEcosystemCaCrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dtsCaCertificateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/pkix-crl": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFoundOrNoCrl"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrievePublishedEcosystemCas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedEcosystemCas"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVicalSigners: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalSignerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createVicalSigner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VicalSignerRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVicalSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vicalSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalSigner"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateVicalSigner: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                vicalSignerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateVicalSignerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVicalSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vicalSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRicalSigners: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RicalSignerPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRicalSigner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RicalSignerRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RicalSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRicalSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ricalSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RicalSigner"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateRicalSigner: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ricalSignerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateVicalSignerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RicalSigner"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRicalSigner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ricalSignerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveEcosystems: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EcosystemPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEcosystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EcosystemRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ecosystem"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveEcosystem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ecosystem"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEcosystem: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EcosystemRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ecosystem"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEcosystem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCredentialTypes: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTypePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialTypeRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialType"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialType"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipants: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateParticipant: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIssuerCredentialTypes: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTypePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    assignIssuerCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuerCredentialTypeRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialType"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unassignIssuerCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVerifierCredentialTypes: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTypePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    assignVerifierCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuerCredentialTypeRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialType"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unassignVerifierCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipantIssuerCertificates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantIssuerCertificatePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createParticipantIssuerCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantIssuerCertificateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantIssuerCertificate"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipantIssuerCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                certificateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantIssuerCertificate"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateParticipantIssuerCertificate: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ecosystemId: string;
                participantId: string;
                certificateId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateParticipantIssuerCertificateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantIssuerCertificate"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteParticipantIssuerCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                certificateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipantVerifierCertificates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantVerifierCertificatePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createParticipantVerifierCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantIssuerCertificateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantVerifierCertificate"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipantVerifierCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                certificateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantVerifierCertificate"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateParticipantVerifierCertificate: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ecosystemId: string;
                participantId: string;
                certificateId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateParticipantIssuerCertificateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantVerifierCertificate"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteParticipantVerifierCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                certificateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    validateIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    validateVerifier: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipantEvidenceList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantEvidencePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createParticipantEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ParticipantEvidenceForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantEvidence"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveParticipantEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                evidenceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantEvidence"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateParticipantEvidence: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ecosystemId: string;
                participantId: string;
                evidenceId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateParticipantEvidenceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantEvidence"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteParticipantEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                evidenceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadParticipantEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                participantId: string;
                evidenceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishIssuerPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedIssuerPolicy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewIssuerPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuerPolicy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteIssuerPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                policyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLatestIssuerPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedIssuerPolicy"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIssuerPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                policyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedIssuerPolicy"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishVerifierPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedVerifierPolicy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewVerifierPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifierPolicy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVerifierPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                policyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLatestVerifierPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedVerifierPolicy"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVerifierPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                policyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedVerifierPolicy"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishEcosystemPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyPublication"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewEcosystemPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EcosystemPolicy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLatestEcosystemPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LatestEcosystemPolicy"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVicalConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    configureVical: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VicalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVicalConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishVical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedVical"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                vicalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVicals: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLatestVical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            206: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                vicalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            206: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVicalChanges: {
        parameters: {
            query: {
                since: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
                vicalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalChanges"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveVicalCertificates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                vicalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalCertificates"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRicalConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RicalConfiguration"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    configureRical: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RicalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RicalConfiguration"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRicalConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishRical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedRical"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                ricalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRicals: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RicalPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLatestRical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            206: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRical: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                ricalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            206: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/cbor": string;
                    "application/cwt": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=60";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Accept-Ranges"?: "bytes";
                    "Content-Disposition"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRicalChanges: {
        parameters: {
            query: {
                since: string;
            };
            header?: never;
            path: {
                ecosystemId: string;
                ricalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalChanges"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveRicalCertificates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ecosystemId: string;
                ricalIssueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VicalCertificates"];
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: "public, max-age=3600";
                    ETag?: string;
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    syncEcosystems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ecosystems"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIntegratedCertificates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                format?: components["schemas"]["IntegrationFormat"];
                integration?: number;
            };
            header?: never;
            path: {
                ecosystemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegratedCertificatePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveHolderApplications: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderApplicationsPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createHolderApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HolderApplicationRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderApplication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveHolderApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderApplication"];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateHolderApplication: {
        parameters: {
            query?: {
                partial?: components["schemas"]["Partial"];
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HolderApplicationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    "X-Reset-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderApplication"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteHolderApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createHolderApplicationChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderApplicationChallenge"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveHolderApplicationInstances: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderApplicationInstancePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerHolderApplicationInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HolderApplicationInstanceRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredInstance"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedBody"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveHolderApplicationInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                applicationId: string;
                instanceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderApplicationInstance"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteHolderApplicationInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                applicationId: string;
                instanceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveEndingCertificates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndingCertificates"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLateStatusLists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LateStatusLists"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveTroubledWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TroubledWebhooks"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveLateJobs: {
        parameters: {
            query?: {
                waiting?: "late" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LateJobs"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveTroubledPublications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TroubledPublications"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveFailingIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailingIntegrations"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveCounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Counts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveIssuedDays: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedDays"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queues"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveConfigurations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                profile?: components["schemas"]["CredentialProfile"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedConfigurationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveEvents: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                ids?: string | string[];
                requestIds?: string | string[];
                categories?: string | string[];
                types?: string | string[];
                clientIds?: string | string[];
                managementUserIds?: string | string[];
                dateFrom?: string;
                dateTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["UnauthorizedOrWrongManagementToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrieveOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=300";
                    Vary?: string;
                    "Content-Encoding"?: string;
                    "Access-Control-Allow-Origin"?: "*";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApi"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["Internal"];
        };
    };
    retrieveReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: "public, max-age=300";
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["Internal"];
        };
    };
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Live"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["Internal"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["Internal"];
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    receiveOpenIdCredentialIssued: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "x-mattr-webhook-id": string;
                "x-mattr-event-type": string;
                "content-digest": string;
                "signature-input": string;
                signature: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenIdCredentialIssuedDelivery"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOpenIdCredentialIssuedSummary: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "x-mattr-webhook-id": string;
                "x-mattr-event-type": string;
                "content-digest": string;
                "signature-input": string;
                signature: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenIdCredentialIssuedSummaryDelivery"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
