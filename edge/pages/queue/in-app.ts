/** Browsers inside other apps: they forget, cannot wake anybody, and vanish with a swipe. Pure. */
const IN_APP =
  /FBAN|FBAV|FB_IAB|Instagram|Line\/|TikTok|musical_ly|BytedanceWebview|Snapchat|Twitter|LinkedInApp|Pinterest|MicroMessenger|GSA\/|; wv\)/;

export const isInApp = (userAgent: string): boolean => IN_APP.test(userAgent);
