/** Style sheets that a part of a page brings along; Vite links them when the part is fetched. */
declare module "*.css";
