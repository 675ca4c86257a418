export const loginPath = '/api/v1/session/login';
export const callbackPath = '/api/v1/session/callback';
export const consolePath = '/console';
