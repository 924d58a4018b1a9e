-- expect: run: more than 256 texts that Lua keeps in the same place
-- 320 texts whose hashes agree in their last 14 bits under the program's seed, which is no secret.
local policy = { name = "hostile", api = 1 }
local words = {
  "nceaaa ehbcaa nnicaa iajdaa vntdaa ydieaa kemfaa xlwhaa asmiaa uqniaa eavjaa dggkaa gmtoaa xdwoaa yhmraa lifsaa ehwsaa coktaa ",
  "ovxtaa wgguaa fpluaa lfzwaa lpiyaa jccaba ytyaba prkcba zdpcba mjadba wjrdba ngbeba tjreba vwsfba olegba wwugba mauhba qtwiba ",
  "msgjba vcnjba jjclba pdtlba qrtmba lxynba rpkoba sqopba mmiqba ppnqba cnyqba gvtrba xrdtba czovba wxawba uwcxba rwcyba kwsyba ",
  "ztrzba putcca uokeca apoeca dorfca bgdgca dspgca ezyhca ufwica xivjca jqkkca yyflca owtlca ryvlca dzsnca maapca jffpca cfvpca ",
  "elpqca yerqca yybsca ozrsca lnkuca omnvca lcxvca emdwca ovtwca ixzyca bkjzca pdfada hnrbda tfwcda jjcdda wngeda sqzeda nqkgda ",
  "qqsgda sltida qpdkda miikda qqnkda ltylda rojmda yjomda enpmda jhanda mkpoda xvnqda enhrda yjirda pmnrda gsvsda rrbtda wkttda ",
  "awquda xxovda xpexda hjixda tnuxda tqtyda rmqzda szqaea tdcbea mlgcea qatcea odmfea wsdgea dwnhea mlzhea yckiea dmniea kablea ",
  "upknea gumqea rjuqea xsnrea agcsea wpssea asnuea aaquea ykjvea xbowea hzbxea akyxea cvvyea kqfzea nlibfa eizcfa bskdfa qqoefa ",
  "dnvffa ktdgfa ddtgfa uqehfa hcghfa ayphfa cgfifa mhvifa vpkjfa sqlkfa prilfa jpzlfa jqemfa cqumfa wsvmfa lmhnfa rfxnfa ilgofa ",
  "sdvofa fjjpfa roerfa ygqsfa luusfa emftfa mbgtfa hbeufa xpkufa ejjvfa oczvfa lsxwfa thezfa oricga waycga vsydga rbpega zfgfga ",
  "thhhga suvhga yhilga ohzlga urjmga acqnga dpjoga xonoga jmzoga xumqga cmdrga xbnrga wporga zuusga rtotga bstuga ovrvga gxjxga ",
  "caoyga nmrzga anlbha ithcha hsbdha dmrdha ikbeha suweha leffha bhqfha bcpgha ybahha gkohha sfjjha fdskha msalha csrlha efymha ",
  "jfvoha lhurha fjxtha tpkvha zfzvha fqtwha jbexha wtgxha cruxha qngzha xfwzha htxzha pjaaia fdoaia aifbia udvcia cjedia xxkeia ",
  "zjteia trzhia qtliia roejia goymia xhcnia aosnia qzroia hhbria uucria aprria kidsia dqssia dlrtia vlttia ifvtia bfguia ykwuia ",
  "ueavia xeawia kglwia kcmyia ufpyia acszia yjiaja ofwaja qkmbja ldhcja rixcja irhdja szydja ffgeja pixeja vfvfja nuogja brahja ",
  "fdhjja wkvjja jnwjja ceikja lknlja cspnja glioja nlyoja enhpja bhiqja yfxqja hthrja xfirja qnyrja sxesja twdtja zzttja gssuja ",
  "ldcvja fozvja ihvxja jjvyja tvizja zqjzja rpcaka lmsaka vurbka kydcka zgzcka aqidka umxeka zigfka xxkgka hqthka wxlika oedjka ",
  "rudkka yfrlka kcymka xbbnka gchnka qzpnka xmaoka zdgqka apqqka vvarka zfvrka uwbska hnfska dtvska "
}

function policy:partition()
  local sum = 0
  for round = 1, 1000000 do
    for _, line in ipairs(words) do
      for i = 1, #line, 7 do sum = sum + #line:sub(i, i + 5) end
    end
  end
  return 1 + sum
end

return policy
