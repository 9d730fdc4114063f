declare module "workerd" {
  const workerd: { readonly default: string };
  export default workerd;
}
